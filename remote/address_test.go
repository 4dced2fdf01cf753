package remote

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"testing"
)

func TestZones(t *testing.T) {
	for want, addresses := range map[zone][]string{
		public: {"93.184.216.34", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "168.63.129.17", "2606:4700::1", "::ffff:8.8.8.8",
			"64:ff9b::8.8.8.8", "2002:808:808::1", "64:ff9b:1::8.8.8.8", "2001:0:808:808::f7f7:f7f7", "2001:db8::5efe:808:808"},
		private: {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "192.0.0.1", "198.18.0.1", "255.255.255.255", "fd12:3456::1",
			"fc00::1", "fec0::1", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "2002:a00:1::1", "2001:db8::5efe:a00:1", "2001:0:808:808::f5ff:fffe"},
		machine: {"127.0.0.1", "127.255.255.254", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::1", "::127.0.0.1"},
		forbidden: {"169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fe80::1", "fe80::a9fe:a9fe%eth0", "fd00:ec2::254",
			"fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "224.0.0.1", "ff02::1",
			"::ffff:169.254.169.254", "::169.254.169.254", "::ffff:0:169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "64:ff9b:1:a9fe:a9:fe00::",
			"64:ff9b:1:1234:a9:fea9:fe00:0", "64:ff9b:1:12a9:fe:a9fe::", "2002:a9fe:a9fe::1", "2002:6464:64c8::", "2001:0:a9fe:a9fe::1", "2001:0:808:808::5601:5601",
			"2001:db8::5efe:a9fe:a9fe", "2001:db8::200:5efe:a83f:8110"},
	} {
		for _, text := range addresses {
			if got := zoneOf(netip.MustParseAddr(text)); got != want {
				t.Errorf("%s is %s, want %s", text, got, want)
			}
			if got := zoneOfName(text); got != want {
				t.Errorf("the name %s is of %s, want %s", text, got, want)
			}
		}
	}
}

func TestZonesOfNames(t *testing.T) {
	for want, names := range map[zone][]string{
		public:    {"example.org", "metadata.example.org", "localhost.example.org", "1.2.3.example", "0x7f.1.example", "256.1.1.1.1", "134744072", "8.8.2056", "internal.example.com"},
		private:   {"intranet", "files.corp", "x.internal", "printer.local", "10.1", "0xa.1", "host.home.arpa", "012.0.0.1"},
		machine:   {"localhost", "LOCALHOST.", "x.localhost", "localhost.localdomain", "127.1", "0x7f000001", "017700000001", "0", "2130706433"},
		forbidden: {"metadata.google.internal", "Metadata.Google.Internal..", "metadata", "instance-data", "2852039166", "0xa9fea9fe", "025177524776", "169.254.43518", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376", "169.16689662", "1684301000", "ａ.example", "①②⑦.0.0.1"},
	} {
		for _, name := range names {
			if got := zoneOfName(name); got != want {
				t.Errorf("%s is of %s, want %s", name, got, want)
			}
		}
	}
}

// Every way to write an IPv4 address, within IPv6 and as text, is of its zone.
func TestZonesOfForms(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	for range 2000 {
		b := blocks[r.IntN(len(blocks))]
		a := b.prefix.Addr()
		if r.IntN(4) == 0 || !a.Is4() {
			a = netip.AddrFrom4([4]byte{byte(1 + r.IntN(255)), byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))})
		}
		want := zoneOf(a)
		bytes := a.As4()
		n := binary.BigEndian.Uint32(bytes[:])
		for _, form := range []string{
			strconv.FormatUint(uint64(n), 10), "0x" + strconv.FormatUint(uint64(n), 16), "0" + strconv.FormatUint(uint64(n), 8),
			strconv.Itoa(int(bytes[0])) + "." + strconv.FormatUint(uint64(n&0xffffff), 10),
			strconv.Itoa(int(bytes[0])) + ".0x" + strconv.FormatUint(uint64(bytes[1]), 16) + ".0" + strconv.FormatUint(uint64(n&0xffff), 8),
			a.String() + ".",
		} {
			if got := zoneOfName(form); got != want {
				t.Errorf("%s, which is %s, is of %s, want %s", form, a, got, want)
			}
		}
		if bytes[0] == 0 {
			continue // gateways translate no such address
		}
		for _, prefix := range []string{"::ffff:", "64:ff9b::", "64:ff9b:1::", "::ffff:0:", "2001:db8::5efe:", "::"} {
			if got := zoneOf(netip.MustParseAddr(prefix + a.String())); got != want {
				t.Errorf("%s%s is %s, want %s", prefix, a, got, want)
			}
		}
		six := [16]byte{0x20, 0x02, bytes[0], bytes[1], bytes[2], bytes[3], 15: 1}
		if got := zoneOf(netip.AddrFrom16(six)); got != want {
			t.Errorf("6to4 of %s is %s, want %s", a, got, want)
		}
	}
}

// A chain of answers never leads farther than the nearest of them.
func TestReachNarrows(t *testing.T) {
	samples := []string{"93.184.216.34", "10.0.0.1", "127.0.0.1", "169.254.169.254", "169.254.1.1"}
	for _, first := range samples {
		for _, second := range samples {
			a, b := netip.MustParseAddr(first), netip.MustParseAddr(second)
			one := reach{any: true}.from(a)
			two := one.from(b)
			for _, to := range samples {
				c := netip.MustParseAddr(to)
				if one.allows(b) == nil && two.allows(c) == nil && one.allows(c) != nil && c != b {
					t.Errorf("%s leads to %s, and only then to %s", first, second, to)
				}
				if zoneOf(c) == forbidden && one.allows(c) == nil && c != a {
					t.Errorf("%s leads to %s", first, to)
				}
			}
		}
	}
}

func FuzzZoneOfName(f *testing.F) {
	f.Add("0xa9fea9fe")
	f.Add("metadata.google.internal.")
	f.Fuzz(func(t *testing.T, name string) {
		if a, err := netip.ParseAddr(name); err == nil && zoneOfName(name) != zoneOf(a) {
			t.Errorf("%q and its address are of two zones", name)
		}
		if a, ok := parseIPv4(name); ok && !a.Is4() {
			t.Errorf("%q is %s", name, a)
		}
	})
}

package remote

import (
	"net/netip"
	"strconv"
	"strings"
)

// A zone is a kind of network address. Zones are ordered: a request that may go to one may also go to all before it.
type zone uint8

const (
	public    zone = iota // addresses of the internet
	private               // of networks of their own
	machine               // of this machine
	forbidden             // link-local, multicast, and where clouds tell programs on a machine its credentials
)

// String returns the word for an address in a message.
func (z zone) String() string {
	return [...]string{"a public address", "a private address", "an address of this machine", "a link-local address, or one where a cloud answers with credentials"}[z]
}

// A block is a range of addresses in a zone.
type block struct {
	prefix netip.Prefix
	zone   zone
}

// blocks lists the ranges that are not public. An address belongs to the first that has it.
var blocks = []block{
	in("169.254.0.0/16", forbidden),     // link-local: EC2, ECS, Google Cloud, Azure, OpenStack, DigitalOcean, Tencent and others
	in("100.100.100.200/32", forbidden), // Alibaba Cloud
	in("168.63.129.16/32", forbidden),   // Azure, the host of a machine
	in("192.0.0.192/32", forbidden),     // Oracle Cloud
	in("fe80::/10", forbidden),          // link-local
	in("fd00:ec2::/32", forbidden),      // EC2 and EKS
	in("fd20:ce::/32", forbidden),       // Google Cloud
	in("fd00:c1::/32", forbidden),       // Oracle Cloud
	in("fd00:42::/32", forbidden),       // Scaleway
	in("224.0.0.0/4", forbidden),        // multicast
	in("ff00::/8", forbidden),           // multicast
	in("127.0.0.0/8", machine),
	in("0.0.0.0/8", machine), // 0.0.0.0 connects to this machine
	in("::/127", machine),
	in("10.0.0.0/8", private),
	in("172.16.0.0/12", private),
	in("192.168.0.0/16", private),
	in("100.64.0.0/10", private), // behind the NAT of a carrier
	in("192.0.0.0/24", private),  // assignments of the IETF
	in("198.18.0.0/15", private), // benchmarks
	in("240.0.0.0/4", private),   // reserved
	in("fc00::/7", private),      // unique local
	in("fec0::/10", private),     // site-local
}

func in(prefix string, z zone) block { return block{netip.MustParsePrefix(prefix), z} }

// zoneOf returns the zone of an address. An IPv6 address that gateways translate to an IPv4 address belongs to the zone of the
// latter, if that is the narrower one.
func zoneOf(a netip.Addr) zone {
	a = a.Unmap().WithZone("")
	z := listed(a)
	for _, inner := range embedded(a) {
		z = max(z, listed(inner))
	}
	return z
}

func listed(a netip.Addr) zone {
	for _, b := range blocks {
		if b.prefix.Contains(a) {
			return b.zone
		}
	}
	return public
}

// An embedding is a range of IPv6 addresses that have an IPv4 address at some bytes.
type embedding struct {
	prefix netip.Prefix
	at     [4]int
	mask   byte // that the bytes are inverted by
}

// embeddings lists the forms of addresses for gateways. The prefix of NAT64 that a network has chosen itself is not known.
var embeddings = []embedding{
	{netip.MustParsePrefix("::/96"), [...]int{12, 13, 14, 15}, 0},           // IPv4-compatible
	{netip.MustParsePrefix("::ffff:0:0:0/96"), [...]int{12, 13, 14, 15}, 0}, // IPv4-translated
	{netip.MustParsePrefix("64:ff9b::/96"), [...]int{12, 13, 14, 15}, 0},    // NAT64, RFC 6052
	{netip.MustParsePrefix("64:ff9b:1::/48"), [...]int{12, 13, 14, 15}, 0},  // NAT64 of a network, RFC 8215, for each length of its prefix
	{netip.MustParsePrefix("64:ff9b:1::/48"), [...]int{6, 7, 9, 10}, 0},
	{netip.MustParsePrefix("64:ff9b:1::/48"), [...]int{7, 9, 10, 11}, 0},
	{netip.MustParsePrefix("64:ff9b:1::/48"), [...]int{9, 10, 11, 12}, 0},
	{netip.MustParsePrefix("2002::/16"), [...]int{2, 3, 4, 5}, 0},        // 6to4
	{netip.MustParsePrefix("2001::/32"), [...]int{4, 5, 6, 7}, 0},        // Teredo: its server
	{netip.MustParsePrefix("2001::/32"), [...]int{12, 13, 14, 15}, 0xff}, // Teredo: its client
}

// embedded returns the IPv4 addresses in an IPv6 address.
func embedded(a netip.Addr) (inner []netip.Addr) {
	if !a.Is6() {
		return nil
	}
	b := a.As16()
	add := func(at [4]int, mask byte) {
		if b[at[0]] != mask { // otherwise the bytes are not an address
			inner = append(inner, netip.AddrFrom4([4]byte{b[at[0]] ^ mask, b[at[1]] ^ mask, b[at[2]] ^ mask, b[at[3]] ^ mask}))
		}
	}
	for _, e := range embeddings {
		if e.prefix.Contains(a) {
			add(e.at, e.mask)
		}
	}
	if b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe { // ISATAP, in any network
		add([...]int{12, 13, 14, 15}, 0)
	}
	return inner
}

// localNames are names of hosts that are not on the internet, by the ends of them.
var localNames = map[string]zone{
	"localhost": machine, "localdomain": machine,
	"internal": private, "local": private, "lan": private, "intranet": private, "corp": private, "home": private, "home.arpa": private,
	"metadata": forbidden, "metadata.google.internal": forbidden, "metadata.goog": forbidden, "metadata.tencentyun.com": forbidden,
	"metadata.azure.internal": forbidden, "instance-data": forbidden, "instance-data.ec2.internal": forbidden, "api.metadata.cloud.ibm.com": forbidden,
}

// zoneOfName returns what can be told of a host by its name alone, for requests whose addresses somebody else looks up: a
// proxy, or a client that is not known.
func zoneOfName(host string) zone {
	host = strings.ToLower(strings.TrimRight(host, "."))
	if a, err := netip.ParseAddr(host); err == nil {
		return zoneOf(a)
	}
	if a, ok := parseIPv4(host); ok {
		return zoneOf(a)
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		return forbidden // resolvers take some of these characters for digits and dots
	}
	z := public
	if !strings.Contains(host, ".") {
		z = private
	}
	for name := host; name != ""; {
		z = max(z, localNames[name])
		_, name, _ = strings.Cut(name, ".")
	}
	return z
}

// parseIPv4 parses the forms of an IPv4 address that resolvers take, as inet_aton does: up to four numbers, of which the last
// has all remaining bytes.
func parseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, part := range parts {
		bits := 8
		if i == len(parts)-1 {
			bits *= 4 - i
		}
		n, ok := parseC(part)
		if !ok || n>>bits != 0 {
			return netip.Addr{}, false
		}
		sum |= n << (32 - 8*i - bits)
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// parseC parses a number as C does: 017 is octal, 0xf hexadecimal.
func parseC(s string) (uint64, bool) {
	base := 10
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		s, base = digits, 16
	} else if len(s) > 1 && s[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 32)
	return n, err == nil
}

// A reach tells which addresses a request may go to.
type reach struct {
	any    bool       // all of them, since the caller named the host
	zone   zone       // this one and all before it
	own    netip.Addr // also this one, which the caller named although it is forbidden
	strict bool       // an address that cannot be checked is refused
}

// allows returns an error unless a request may go to an address.
func (r reach) allows(a netip.Addr) error {
	z := zoneOf(a)
	if r.any || z <= r.zone || a == r.own {
		return nil
	}
	return &addressError{a.String(), z}
}

// allowsName is allows for a host whose address is not known.
func (r reach) allowsName(host string) error {
	z := zoneOfName(host)
	if a, err := netip.ParseAddr(host); r.any || z <= r.zone || err == nil && a == r.own {
		return nil
	}
	return &addressError{host, z}
}

// from returns where an answer from an address may lead: to its own zone and all before it, and no farther than the answers before.
func (r reach) from(a netip.Addr) reach {
	z := zoneOf(a)
	if z == forbidden {
		return reach{own: a, strict: r.strict}
	}
	return r.within(z)
}

// within is from for an answer of a zone.
func (r reach) within(z zone) reach {
	if z == forbidden {
		z = public
	}
	if !r.any {
		z = min(z, r.zone)
	}
	return reach{zone: z, strict: r.strict}
}

# Makes random values of all the types that package pickle knows, pickles them in each protocol, and prints for each
# pickle, as JSON: the protocol, the bytes in hexadecimal, and the text that describe gives for what Python reads back.
# The Go tests have a function that writes the same text.
import collections, datetime, decimal, fractions, json, pickle, random, struct, sys, uuid


class Plain:
    pass


class Listed(list):
    pass


class Mapped(dict):
    pass


class Slotted:
    __slots__ = ('a', 'b')


def bits(f):
    return struct.pack('>d', f).hex()


class Describer:
    def __init__(self, protocol):
        self.protocol = protocol
        self.seen = {}
        self.keep = []
        self.count = 0

    def again(self, v):
        if id(v) in self.seen:
            return '@%d' % self.seen[id(v)]
        self.seen[id(v)] = self.number()
        self.keep.append(v)
        return ''

    def number(self):
        self.count += 1
        return self.count - 1

    def parts(self, name, parts):
        return name + '(' + ''.join(self.value(p) + ' ' for p in parts) + ')'

    def pairs(self, name, d):
        return name + '(' + ''.join(self.value(k) + '=' + self.value(v) + ' ' for k, v in d.items()) + ')'

    def elements(self, name, s):
        return name + '(' + ' '.join(sorted(describe(e, self.protocol) for e in s)) + ')'

    def value(self, v):
        t = type(v)
        if v is None or v is Ellipsis or v is NotImplemented:
            return repr(v)
        if t is bool:
            return 'bool:' + repr(v).lower()
        if t is int:
            return 'int:%d' % v
        if t is float:
            return 'float:' + bits(v)
        if t is complex:
            return 'complex:%s,%s' % (bits(v.real), bits(v.imag))
        if t is str:
            return 'str:' + v.encode('utf-8', 'surrogatepass').hex()
        if t in (bytes, bytearray):
            return t.__name__ + ':' + v.hex()
        if t is type:
            return 'global:%s.%s' % (v.__module__, v.__qualname__)
        if t is slice or t is range:
            return self.parts(t.__name__, (v.start, v.stop, v.step))
        if t is datetime.datetime:
            return 'datetime:' + ''.join('%d,' % n for n in (v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond, v.fold)) + self.value(v.tzinfo)
        if t is datetime.date:
            return 'date:%d,%d,%d' % (v.year, v.month, v.day)
        if t is datetime.time:
            return 'time:' + ''.join('%d,' % n for n in (v.hour, v.minute, v.second, v.microsecond, v.fold)) + self.value(v.tzinfo)
        if t is datetime.timedelta:
            return 'timedelta:%d,%d,%d' % (v.days, v.seconds, v.microseconds)
        if t is datetime.timezone:
            return self.parts('timezone', (v.__getinitargs__() + (None,))[:2])
        if t is decimal.Decimal:
            return 'Decimal:' + str(v)
        if t is fractions.Fraction:
            return 'Fraction:%d/%d' % (v.numerator, v.denominator)
        if t is uuid.UUID:
            return 'UUID:' + v.hex
        if v == () and t is tuple:
            return 'tuple()'
        if v == frozenset() and t is frozenset:
            return 'frozenset()'
        return self.again(v) or self.container(v, t)

    def container(self, v, t):
        if t is list or t is tuple:
            return self.parts(t.__name__, v)
        if t is dict:
            return self.pairs('dict', v)
        if t is collections.OrderedDict or t is collections.Counter:
            return self.pairs(t.__name__, v)
        if t is collections.defaultdict:
            return self.value(v.default_factory) + self.pairs('defaultdict', v)
        if t is set or t is frozenset:
            return self.elements(t.__name__, v)
        return self.instance(v, t)

    def instance(self, v, t):
        base = {Listed: list, Mapped: dict}.get(t, object)
        if self.protocol < 2:
            text = 'global:copyreg._reconstructor'
            given = None if base is object else base(v)
            text += self.parts('made', (t, base, given)) + 'items()'
        else:
            text = self.value(t) + 'made()' + self.parts('items', v if t is Listed else ())
            if t is Mapped:
                text += ''.join(self.parts('pair', kv) for kv in v.items())
        if t is Slotted:
            self.number()
            self.number()
            return text + 'tuple(None ' + self.pairs('dict', {'a': v.a, 'b': v.b}) + ' )'
        self.number()
        return text + self.pairs('dict', v.__dict__)


def describe(v, protocol):
    return Describer(protocol).value(v)


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.made = []

    def number(self):
        r = self.r
        return r.choice([
            lambda: r.randrange(-5, 300), lambda: r.randrange(-2**16, 2**17), lambda: r.randrange(-2**33, 2**33),
            lambda: r.randrange(-2**65, 2**65), lambda: r.randrange(10**400), lambda: -r.randrange(2**2100),
            lambda: r.choice([2**31, -2**31, 2**31 - 1, 2**63, -2**63, 2**63 - 1, 255, 256, 65535, 65536]),
        ])()

    def text(self):
        r = self.r
        alphabet = r.choice(['abc', 'aé\x00\n\r\x1a', '整😀x', '\\u0041\'"', '\ud800\udc00z'])
        return ''.join(r.choice(alphabet) for _ in range(r.choice([0, 1, 2, 5, 20, 300])))

    def hashable(self, depth=2):
        r = self.r
        kinds = [lambda: None, lambda: r.random() < .5, self.number, lambda: r.choice([0.0, -0.0, 1.5, 1e300, float('inf')]),
                 lambda: complex(r.randrange(3), r.randrange(3)), self.text, lambda: bytes(self.text(), 'utf-8', 'surrogatepass'),
                 lambda: r.choice([Ellipsis, NotImplemented, int, dict, Plain, decimal.Decimal]), self.library]
        if depth:
            kinds += [lambda: tuple(self.hashable(depth - 1) for _ in range(r.randrange(5))),
                      lambda: frozenset(self.hashable(depth - 1) for _ in range(r.randrange(4)))]
        return r.choice(kinds)()

    def tz(self):
        r = self.r
        delta = datetime.timedelta(minutes=r.randrange(-1439, 1440), microseconds=r.choice([0, 0, 7]))
        return r.choice([None, datetime.timezone.utc, datetime.timezone(delta), datetime.timezone(delta, 'named')])

    def library(self):
        r = self.r
        clock = (r.randrange(24), r.randrange(60), r.randrange(60), r.randrange(10**6))
        day = (r.randrange(1, 10000), r.randrange(1, 13), r.randrange(1, 29))
        return r.choice([
            lambda: datetime.datetime(*day, *clock, self.tz(), fold=r.randrange(2)),
            lambda: datetime.date(*day),
            lambda: datetime.time(*clock, self.tz(), fold=r.randrange(2)),
            lambda: datetime.timedelta(r.randrange(-10**9 + 1, 10**9 - 1), r.randrange(86400), r.randrange(10**6)),
            lambda: decimal.Decimal(r.choice(['1.50', '-0', 'NaN', 'sNaN12', '-Infinity', '1E+400', '0.000001', '-1.5E-10'])),
            lambda: fractions.Fraction(r.randrange(-50, 50), r.randrange(1, 50)),
            lambda: uuid.UUID(int=r.getrandbits(128)),
            lambda: range(r.randrange(-9, 9), r.randrange(-9, 9), r.choice([1, 2, -1, 2**70])),
        ])()

    def leaf(self):
        r = self.r
        return r.choice([self.hashable, self.hashable, lambda: bytearray(self.text(), 'utf-8', 'surrogatepass'),
                         lambda: r.choice([float('nan'), 1e-310, -1.25]), lambda: slice(r.choice([None, 1]), self.number(), None)])()

    def attributes(self, v, depth):
        v.x = self.value(depth)
        v.__dict__['é'] = 1
        return v

    def key(self):
        # A signalling NaN has no hash in Python.
        while True:
            try:
                k = self.hashable()
                hash(k)
                return k
            except TypeError:
                pass

    def value(self, depth):
        r = self.r
        if depth == 0 or r.random() < .3:
            if self.made and r.random() < .3:
                return r.choice(self.made)
            return self.leaf()
        n = r.choice([0, 1, 2, 3, 6])
        if r.random() < .005:
            n, depth = 2100, 1
        make = r.choice([tuple, set, collections.Counter, list, list, dict, dict, collections.OrderedDict,
                         lambda: collections.defaultdict(list), Listed, Mapped, Plain, Slotted])
        if make is tuple:
            return tuple(self.value(depth - 1) for _ in range(n))
        if make is set:
            return set(self.key() for _ in range(n))
        if make is collections.Counter:
            return collections.Counter([self.text() for _ in range(n)])
        v = make()
        if isinstance(v, (Listed, Mapped)):
            self.attributes(v, 0)
        self.made.append(v)
        for _ in range(n):
            if isinstance(v, list):
                v.append(self.value(depth - 1))
            elif isinstance(v, dict):
                v[self.key()] = self.value(depth - 1)
        if type(v) is Plain:
            self.attributes(v, depth - 1)
        if type(v) is Slotted:
            v.a = self.value(depth - 1)
            v.b = 1
        return v


def main(count):
    for seed in range(count):
        try:
            value = Maker(seed).value(4)
        except TypeError:  # a signalling NaN as a key again, inside a tuple
            continue
        for protocol in range(6):
            try:
                data = pickle.dumps(value, protocol)
                want = describe(pickle.loads(data), protocol)
            except (RecursionError, pickle.PicklingError, TypeError):
                continue  # a Slotted below protocol 2, a key that contains itself
            print(json.dumps([protocol, data.hex(), want]))


main(int(sys.argv[1]))

package pickle

// The values print themselves as Python prints them, in the bounds of the zero [Printer].

// String returns the list as [Repr] does.
func (v *List) String() string { return Repr(v) }

// String returns the tuple as [Repr] does.
func (v *Tuple) String() string { return Repr(v) }

// String returns the dict as [Repr] does.
func (v *Dict) String() string { return Repr(v) }

// String returns the OrderedDict as [Repr] does.
func (v *OrderedDict) String() string { return Repr(v) }

// String returns the defaultdict as [Repr] does.
func (v *DefaultDict) String() string { return Repr(v) }

// String returns the Counter as [Repr] does.
func (v *Counter) String() string { return Repr(v) }

// String returns the set as [Repr] does.
func (v *Set) String() string { return Repr(v) }

// String returns the frozenset as [Repr] does.
func (v *FrozenSet) String() string { return Repr(v) }

// String returns the bytearray as [Repr] does.
func (v *ByteArray) String() string { return Repr(v) }

// String returns the slice as [Repr] does.
func (v *Slice) String() string { return Repr(v) }

// String returns the range as [Repr] does.
func (v *Range) String() string { return Repr(v) }

// String returns the name as [Repr] does.
func (v *Global) String() string { return Repr(v) }

// String returns the Decimal as [Repr] does.
func (v *Decimal) String() string { return Repr(v) }

// String returns the Fraction as [Repr] does.
func (v *Fraction) String() string { return Repr(v) }

// String returns the UUID as [Repr] does.
func (v *UUID) String() string { return Repr(v) }

// String returns the object as [Repr] does.
func (v *Object) String() string { return Repr(v) }

// String returns the datetime as [Repr] does.
func (v *Datetime) String() string { return Repr(v) }

// String returns the date as [Repr] does.
func (v *Date) String() string { return Repr(v) }

// String returns the time as [Repr] does.
func (v *Time) String() string { return Repr(v) }

// String returns the timedelta as [Repr] does.
func (v *Timedelta) String() string { return Repr(v) }

// String returns the timezone as [Repr] does.
func (v *TimeZone) String() string { return Repr(v) }

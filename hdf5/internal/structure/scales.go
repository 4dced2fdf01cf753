package structure

// The attributes of HDF5's dimension scales, H5DS, and the class of a dataset that is one.
const (
	ClassAttribute         = "CLASS"
	NameAttribute          = "NAME"
	ReferenceListAttribute = "REFERENCE_LIST"
	DimensionListAttribute = "DIMENSION_LIST"
	LabelsAttribute        = "DIMENSION_LABELS"
	ScaleClass             = "DIMENSION_SCALE"
)

// NoVariable is how the name of a dimension scale begins that netCDF-4 has for a dimension without a variable.
const NoVariable = "This is a netCDF dimension but not a netCDF variable."

#include "CAllocationProbe.h"

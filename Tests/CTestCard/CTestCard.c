#include "CTestCard.h"

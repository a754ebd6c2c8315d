#pragma once

#include <popops/OperationDef.hpp>

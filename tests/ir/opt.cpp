// Reads, verifies and prints modules in Tropic's dialects, for the tests beside it.
#include "ir/it.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
    mlir::DialectRegistry registry;
    registry.insert<tropic::ga::GaDialect, tropic::it::ItDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::scf::SCFDialect>();
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, "Tropic's dialects: read, verify, print\n", registry));
}

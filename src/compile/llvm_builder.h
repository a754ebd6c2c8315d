// Small conveniences over MLIR's builders for code in the arith, scf and llvm dialects: everything
// that is addressed is 64 bits wide, mutable state lives in stack slots (LLVM turns them into
// registers).
#pragma once

#include <optional>

#include "ir/ga.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tropic::compile {

using mlir::Value;

class Code {
  public:
    Code(mlir::OpBuilder& builder, mlir::Location at, bool wide)
        : builder_(builder), at_(at), wide_(wide) {}

    mlir::OpBuilder& builder() { return builder_; }
    mlir::Location at() const { return at_; }
    void set_location(mlir::Location at) { at_ = at; }

    // --- types -----------------------------------------------------------------------------------
    mlir::Type i1() { return builder_.getI1Type(); }
    mlir::Type i8() { return builder_.getI8Type(); }
    mlir::Type i64() { return builder_.getI64Type(); }
    mlir::Type f64() { return builder_.getF64Type(); }
    mlir::Type pointer() { return mlir::LLVM::LLVMPointerType::get(builder_.getContext()); }
    /// Coordinates and positions in memory.
    mlir::Type index() { return wide_ ? builder_.getI64Type() : builder_.getI32Type(); }
    std::int64_t index_bytes() const { return wide_ ? 8 : 4; }
    /// An element type as values have it (signless) and as memory has it (bool is a byte).
    mlir::Type value_type(mlir::Type element);
    mlir::Type memory_type(mlir::Type element);

    // --- values ----------------------------------------------------------------------------------
    Value number(std::int64_t value);
    Value real(double value);
    Value flag(bool value);
    Value null();
    Value add(Value a, Value b);
    Value sub(Value a, Value b);
    Value mul(Value a, Value b);
    Value minimum(Value a, Value b);
    Value less(Value a, Value b);
    Value equal(Value a, Value b);
    Value both(Value a, Value b);
    Value either(Value a, Value b);
    Value negation(Value a);
    Value select(Value condition, Value a, Value b);

    // --- memory ----------------------------------------------------------------------------------
    /// A slot in the frame of the function that the builder stands in.
    Value slot(mlir::Type type, std::int64_t count = 1);
    Value load(mlir::Type type, Value address);
    void store(Value value, Value address);
    /// `base` as an array of `type`: the address of an element.
    Value element_address(mlir::Type type, Value base, Value at);
    Value load_at(mlir::Type type, Value base, Value at) {
        return load(type, element_address(type, base, at));
    }
    void store_at(Value value, Value base, Value at) {
        store(value, element_address(value.getType(), base, at));
    }
    /// A field of a structure, `bytes` from its beginning.
    Value field(mlir::Type type, Value base, std::int64_t bytes);
    void set_field(Value value, Value base, std::int64_t bytes);
    /// Coordinates and positions, widened.
    Value load_index(Value base, Value at);
    void store_index(Value value, Value base, Value at);
    /// Elements of tensors.
    Value load_element(mlir::Type element, Value base, Value at);
    void store_element(mlir::Type element, Value value, Value base, Value at);

    // --- control ---------------------------------------------------------------------------------
    template <class Body> void if_then(Value condition, const Body& body) {
        auto op = mlir::scf::IfOp::create(builder_, at_, condition, false);
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(&op.getThenRegion().front());
        body();
    }
    template <class Then, class Else>
    void if_then_else(Value condition, const Then& then, const Else& otherwise) {
        auto op = mlir::scf::IfOp::create(builder_, at_, condition, true);
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(&op.getThenRegion().front());
        then();
        builder_.setInsertionPointToStart(&op.getElseRegion().front());
        otherwise();
    }
    /// What is known of a loop: along all coordinates; along a row, which is often short; along a
    /// row, summing up elements from all over memory, which come one after the other whatever is
    /// done, so that several sums at once are best; along a row whose entries are best taken one by
    /// one.
    enum class Along : std::uint8_t { all, row, row_at_random, row_one_by_one };

    /// body(i) for i in [begin, end), or for each `step`th of them.
    template <class Body>
    void count(Value begin, Value end, const Body& body, Along along = Along::all,
               std::int64_t step = 1) {
        auto op = mlir::scf::ForOp::create(builder_, at_, begin, end, number(step));
        if (along != Along::all) op->setAttr("loop_annotation", annotation(along));
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(op.getBody());
        body(op.getInductionVar());
    }
    /// while (condition()) body();
    template <class Condition, class Body> void loop(const Condition& condition, const Body& body) {
        auto op = mlir::scf::WhileOp::create(builder_, at_, mlir::TypeRange{}, mlir::ValueRange{});
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.createBlock(&op.getBefore());
        mlir::scf::ConditionOp::create(builder_, at_, condition(), mlir::ValueRange{});
        builder_.createBlock(&op.getAfter());
        body();
        mlir::scf::YieldOp::create(builder_, at_);
    }
    /// A call through a table of functions; null result type: none.
    Value call(Value table, std::size_t offset, mlir::Type result, mlir::ValueRange arguments);

    // --- elements --------------------------------------------------------------------------------
    /// `element` is the type with its sign; values are signless. Folds may be reordered, single
    /// operations keep their rounding.
    enum class Rounding : std::uint8_t { exact, folded };
    Value operation(ga::Operator op, mlir::Type element, Value a, Value b,
                    Rounding rounding = Rounding::exact);
    Value negate(mlir::Type element, Value a);
    Value convert(mlir::Type from, mlir::Type to, Value value);
    Value is_nonzero(mlir::Type element, Value value);
    Value zero(mlir::Type element);
    Value one(mlir::Type element);
    /// What an accumulator may start with, if the operator has such a value.
    std::optional<Value> identity(ga::Operator op, mlir::Type element);

  private:
    mlir::Attribute annotation(Along along);

    mlir::OpBuilder& builder_;
    mlir::Location at_;
    bool wide_;
};

} // namespace tropic::compile

#pragma once
// Promises on the entries of an array: which tables have them, their names, and the search of those that are
// kept.

#include <memory>
#include <string>

#include "array/promise_search.hpp"
#include "export/table.hpp"
#include "export/table_kind.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::array {

/// Whether promises bound the errors of a table's entries.
bool has_promises(const tables::table& table);

/// A promise that was asked for as promises_on and array_laws take it, with the format of its entries in the
/// part `table`.
///
/// throws  bad_input naming promise and `text`, as it was typed, where a part is not of this table
promise promise_of_entries(const tables::table& table, const promise& promised, const std::string& text);

/// A promise of promise_of_entries as the command line takes it.
std::string name_of_promise(const tables::table& table, const promise& promised);

/// A search of the promises that an array keeps, among them `promised`; null unless has_promises(table). The
/// table must outlive it.
std::unique_ptr<promise_search> promises_on(const tables::table& table, tables::table_dtype dtype,
                                            const promise& promised);

}  // namespace ropewalk::array

//! From conditions of SQL to filters of scans.
//!
//! A condition is taken only if the scan selects exactly the same rows; all others are left to DataFusion.

use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use datafusion::scalar::ScalarValue;
use tracewell_arrow::Filter;
use tracewell_types::Guid;

/// Adds a condition to a filter. `has` says whether a column of that name is one of the event's header. Returns `false`, with the
/// filter unchanged, if the condition is none of a scan.
pub fn add(filter: &mut Filter, condition: &Expr, has: &dyn Fn(&str) -> bool) -> bool {
    let mut added = filter.clone();
    let is_added = try_add(&mut added, condition, has).is_some();
    if is_added {
        *filter = added;
    }
    is_added
}

fn try_add(filter: &mut Filter, condition: &Expr, has: &dyn Fn(&str) -> bool) -> Option<()> {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            try_add(filter, left, has)?;
            try_add(filter, right, has)
        }
        Expr::Between(between) if !between.negated => {
            let name = column(&between.expr, has)?;
            compare(filter, name, Operator::GtEq, &between.low)?;
            compare(filter, name, Operator::LtEq, &between.high)
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if matches!(op, Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq) =>
        {
            match column(left, has) {
                Some(name) => compare(filter, name, *op, right),
                None => compare(filter, column(right, has)?, op.swap()?, left),
            }
        }
        _ => {
            let (name, values) = values(condition, has)?;
            select(filter, name, &values)
        }
    }
}

/// The name of a column of the header.
fn column<'e>(expr: &'e Expr, has: &dyn Fn(&str) -> bool) -> Option<&'e str> {
    match expr {
        Expr::Column(column) if has(&column.name) => Some(&column.name),
        _ => None,
    }
}

/// A value without a dictionary.
fn value(expr: &Expr) -> Option<&ScalarValue> {
    let Expr::Literal(value, _) = expr else { return None };
    let mut value = value;
    while let ScalarValue::Dictionary(_, inner) = value {
        value = inner;
    }
    Some(value)
}

/// Bounds of the time.
fn compare(filter: &mut Filter, name: &str, op: Operator, with: &Expr) -> Option<()> {
    if name != "time" {
        return None;
    }
    let ns = nanoseconds(value(with)?)?;
    // The next nanosecond, if there is one.
    let after = ns.checked_add(1);
    match op {
        Operator::GtEq => filter.from = filter.from.max(Some(ns)),
        Operator::Gt => filter.from = filter.from.max(Some(after?)),
        Operator::Lt => filter.until = Some(filter.until.map_or(ns, |until| until.min(ns))),
        Operator::LtEq => {
            let after = after?;
            filter.until = Some(filter.until.map_or(after, |until| until.min(after)));
        }
        _ => return None,
    }
    Some(())
}

fn nanoseconds(value: &ScalarValue) -> Option<i64> {
    match value {
        ScalarValue::TimestampNanosecond(Some(ns), _) => Some(*ns),
        _ => None,
    }
}

/// A column and the values that it may have: `a = 1`, `a IN (1, 2)`, or such conditions on one column with OR.
fn values<'e>(condition: &'e Expr, has: &dyn Fn(&str) -> bool) -> Option<(&'e str, Vec<&'e ScalarValue>)> {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
            let (name, with) = match column(left, has) {
                Some(name) => (name, right),
                None => (column(right, has)?, left),
            };
            Some((name, vec![value(with)?]))
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            let ((name, mut some), (other, more)) = (values(left, has)?, values(right, has)?);
            some.extend(more);
            (name == other).then_some((name, some))
        }
        Expr::InList(list) if !list.negated => {
            let values: Option<Vec<_>> = list.list.iter().map(value).collect();
            Some((column(&list.expr, has)?, values?))
        }
        _ => None,
    }
}

/// Adds the condition that a column has one of these values.
fn select(filter: &mut Filter, name: &str, values: &[&ScalarValue]) -> Option<()> {
    match name {
        "time" => {
            let [value] = values else { return None };
            let ns = nanoseconds(value)?;
            filter.from = filter.from.max(Some(ns));
            let after = ns.checked_add(1)?;
            filter.until = Some(filter.until.map_or(after, |until| until.min(after)));
        }
        "provider" => both(&mut filter.providers, texts(values)?),
        "event" => both(&mut filter.events, texts(values)?),
        "guid" => {
            let guids = texts(values)?;
            // Another way to write a GUID is not the text of the column.
            let guid =
                |text: &String| Guid::try_parse(text.as_bytes()).filter(|guid| guid.to_string() == *text);
            both(&mut filter.guids, guids.iter().map(guid).collect::<Option<_>>()?);
        }
        "id" => both(&mut filter.ids, numbers(values)?),
        "header_pid" => both(&mut filter.header_pids, numbers(values)?),
        "pid" => both(&mut filter.pids, numbers(values)?),
        _ => return None,
    }
    Some(())
}

/// The values of both conditions.
fn both<T: PartialEq>(known: &mut Option<Vec<T>>, values: Vec<T>) {
    match known {
        Some(known) => known.retain(|value| values.contains(value)),
        None => *known = Some(values),
    }
}

/// Texts that are not empty: a column has no value in place of an empty one.
fn texts(values: &[&ScalarValue]) -> Option<Vec<String>> {
    let text = |value: &&ScalarValue| match value {
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
        _ => None,
    };
    values.iter().map(text).collect()
}

fn numbers(values: &[&ScalarValue]) -> Option<Vec<u32>> {
    let number = |value: &&ScalarValue| match value {
        ScalarValue::UInt32(number) => *number,
        _ => None,
    };
    values.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::logical_expr::{col, lit};

    /// DataFusion itself combines most of such conditions, but not those of every query.
    #[test]
    fn issue_22_conditions_on_one_column_hold_together() {
        let mut filter = Filter::default();
        let mut is_added = |condition: &Expr| add(&mut filter, condition, &|_| true);
        let time = |ns: i64| Expr::Literal(ScalarValue::TimestampNanosecond(Some(ns), None), None);
        assert!(is_added(&col("id").in_list(vec![lit(1_u32), lit(2_u32), lit(3_u32)], false)));
        assert!(is_added(&col("id").in_list(vec![lit(3_u32), lit(2_u32)], false)));
        assert!(is_added(&col("time").gt_eq(time(5)).and(col("time").lt(time(50)))));
        assert!(is_added(&col("time").between(time(3), time(20))));
        assert!(!is_added(&col("time").gt(time(i64::MAX))));
        // The first half is one of a scan, the second is not: nothing is added.
        assert!(!is_added(&col("id").eq(lit(2_u32)).and(col("cpu").eq(lit(1_u16)))));
        let wanted = Filter { ids: Some(vec![2, 3]), from: Some(5), until: Some(21), ..Filter::default() };
        assert_eq!(filter, wanted);
    }
}

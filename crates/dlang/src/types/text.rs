//! Names of types as C writes them.

use super::{Dynamic, Type, TypeId, Types};

/// Derivations beyond this depth are shown as `…`.
const DEEPEST: u32 = 64;

impl Types {
    /// The name of a type, such as `struct foo *` or `int [5]`.
    #[must_use]
    pub fn name(&self, id: TypeId) -> String {
        self.declare(id, String::new(), 0)
    }

    fn declare(&self, id: TypeId, around: String, depth: u32) -> String {
        let join = |base: &str| {
            if around.is_empty() { base.to_owned() } else { format!("{base} {around}") }
        };
        if depth > DEEPEST {
            return join("…");
        }
        match self.get(id) {
            Type::Void => join("void"),
            Type::Int { name, .. } | Type::Float { name, .. } => join(name),
            Type::String => join("string"),
            Type::Typedef(name, _) => join(name),
            Type::Pointer(target) => {
                let bracket = matches!(self.get(*target), Type::Array(..) | Type::Function { .. });
                let inner = if bracket { format!("(*{around})") } else { format!("*{around}") };
                self.declare(*target, inner, depth + 1)
            }
            Type::Array(element, count) => self.declare(*element, format!("{around}[{count}]"), depth + 1),
            Type::Function { result, params, varargs } => {
                let mut list: Vec<String> =
                    params.iter().map(|&p| self.declare(p, String::new(), depth + 1)).collect();
                if *varargs {
                    list.push("...".to_owned());
                }
                self.declare(*result, format!("{around}({})", list.join(", ")), depth + 1)
            }
            Type::Record(_) => {
                let (word, tag) = self.record(id).map_or(("struct", ""), |r| {
                    (if r.is_union { "union" } else { "struct" }, r.tag.as_str())
                });
                join(&if tag.is_empty() { format!("{word} {{...}}") } else { format!("{word} {tag}") })
            }
            Type::Enum(_) => {
                let tag = self.enumeration(id).map_or("", |e| e.tag.as_str());
                join(&if tag.is_empty() { "enum {...}".to_owned() } else { format!("enum {tag}") })
            }
            Type::Dynamic(kind) => join(match kind {
                Dynamic::Action => "<action>",
                Dynamic::Aggregation => "<aggregation>",
                Dynamic::Stack => "<stack>",
                Dynamic::Symbol => "<symbol>",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_c() {
        let mut types = Types::new(8);
        let int = types.basic().int;
        let p = types.pointer(int);
        let a = types.array(p, 3);
        let pa = types.pointer(a);
        let f = types.add(Type::Function { result: int, params: vec![p], varargs: true });
        let pf = types.pointer(f);
        let s = types.add_record(false, "foo");
        let ps = types.pointer(s);
        let names: Vec<String> = [p, a, pa, pf, ps].iter().map(|&t| types.name(t)).collect();
        assert_eq!(names, ["int *", "int *[3]", "int *(*)[3]", "int (*)(int *, ...)", "struct foo *"]);
    }
}

//! From NT device paths to drive letters, as the traced machine had them.

/// Volume mappings from the trace, longest NT prefix first.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// NT prefix and DOS prefix, such as `\Device\HarddiskVolume2\` and `C:\`.
    mappings: Vec<(Box<str>, Box<str>)>,
}

impl Volumes {
    pub(crate) fn new(mut mappings: Vec<(Box<str>, Box<str>)>) -> Volumes {
        mappings.retain(|(nt, _)| !nt.is_empty());
        mappings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        mappings.dedup();
        Volumes { mappings }
    }

    /// The mappings: NT prefix and DOS prefix.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.mappings.iter().map(|(nt, dos)| (&**nt, &**dos))
    }

    /// How many mappings the trace has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mappings.len()
    }

    /// Whether the trace has no mapping.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mappings.is_empty()
    }

    /// Splits an NT path into the DOS prefix that stands for its beginning and the rest; joined they are
    /// the DOS path. `None` when no mapping fits.
    #[must_use]
    pub fn to_dos<'a>(&'a self, path: &'a str) -> Option<(&'a str, &'a str)> {
        self.mappings.iter().find_map(|(nt, dos)| {
            let head = path.get(..nt.len())?;
            head.eq_ignore_ascii_case(nt).then(|| (&**dos, path.get(nt.len()..).unwrap_or_default()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins() {
        let map = |a: &str, b: &str| (a.into(), b.into());
        let volumes = Volumes::new(vec![
            map("\\Device\\Vol1\\", "C:\\"),
            map("\\Device\\Vol1\\Mount\\", "D:\\"),
            map("\\Device\\Vol1\\", "C:\\"),
        ]);
        assert_eq!(volumes.len(), 2);
        assert_eq!(volumes.to_dos("\\DEVICE\\vol1\\a.txt"), Some(("C:\\", "a.txt")));
        assert_eq!(volumes.to_dos("\\Device\\Vol1\\mount\\x"), Some(("D:\\", "x")));
        assert_eq!(volumes.to_dos("\\Device\\Vol12\\x"), None);
        assert_eq!(volumes.to_dos("é"), None);
    }
}

//! A reader of MessagePack (<https://github.com/msgpack/msgpack/blob/master/spec.md>): the kinds of values that AMD's
//! metadata is made of. It takes any bytes and never more memory than they are worth.

/// How deep values may lie in each other; metadata goes to four.
const DEPTH: u32 = 32;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Nil,
    Boolean(bool),
    Unsigned(u64),
    Negative(i64),
    Text(String),
    Array(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl Value {
    /// The value that `bytes` hold. What follows it, the padding of a note, is not looked at.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        Reader { bytes }.value(DEPTH)
    }

    /// What a map has under `key`.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => {
                entries.iter().find(|(k, _)| k.text() == Some(key)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub(super) fn array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn unsigned(&self) -> Option<u64> {
        match self {
            Value::Unsigned(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match self {
            Value::Boolean(value) => Some(*value),
            _ => None,
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn value(&mut self, depth: u32) -> Result<Value, String> {
        let depth = depth.checked_sub(1).ok_or("its metadata lies too deep")?;
        let tag = self.number(1)? as u8;
        Ok(match tag {
            0x00..=0x7f => Value::Unsigned(tag.into()),
            0x80..=0x8f => self.map(u64::from(tag & 0x0f), depth)?,
            0x90..=0x9f => self.array(u64::from(tag & 0x0f), depth)?,
            0xa0..=0xbf => self.text(u64::from(tag & 0x1f))?,
            0xc0 => Value::Nil,
            0xc2 | 0xc3 => Value::Boolean(tag == 0xc3),
            0xcc..=0xcf => Value::Unsigned(self.number(1 << (tag - 0xcc))?),
            0xd0..=0xd3 => self.signed(1 << (tag - 0xd0))?,
            0xd9..=0xdb => {
                let length = self.number(1 << (tag - 0xd9))?;
                self.text(length)?
            }
            0xdc | 0xdd => {
                let length = self.number(2 << (tag - 0xdc))?;
                self.array(length, depth)?
            }
            0xde | 0xdf => {
                let length = self.number(2 << (tag - 0xde))?;
                self.map(length, depth)?
            }
            0xe0..=0xff => Value::Negative(i64::from(tag as i8)),
            _ => return Err(format!("its metadata has a value of unknown kind {tag:#x}")),
        })
    }

    fn take(&mut self, length: u64) -> Result<&[u8], String> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or("its metadata ends too early")?;
        self.bytes = rest;
        Ok(taken)
    }

    /// A number of so many bytes, the highest first.
    fn number(&mut self, bytes: u64) -> Result<u64, String> {
        Ok(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn signed(&mut self, bytes: u64) -> Result<Value, String> {
        let unused = 64 - 8 * bytes as u32;
        let number = (self.number(bytes)? << unused).cast_signed() >> unused;
        Ok(u64::try_from(number).map_or(Value::Negative(number), Value::Unsigned))
    }

    fn text(&mut self, length: u64) -> Result<Value, String> {
        let text =
            std::str::from_utf8(self.take(length)?).map_err(|_| "its metadata has text that is none")?;
        Ok(Value::Text(text.to_string()))
    }

    // Collections grow with what is read, not with what their length says.
    fn array(&mut self, length: u64, depth: u32) -> Result<Value, String> {
        (0..length).map(|_| self.value(depth)).collect::<Result<_, _>>().map(Value::Array)
    }

    fn map(&mut self, length: u64, depth: u32) -> Result<Value, String> {
        let mut entry = || Ok((self.value(depth)?, self.value(depth)?));
        (0..length).map(|_| entry()).collect::<Result<_, String>>().map(Value::Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_kind() {
        for (bytes, value) in [
            (&[0x07][..], Value::Unsigned(7)),
            (&[0xff], Value::Negative(-1)),
            (&[0xc0], Value::Nil),
            (&[0xc3], Value::Boolean(true)),
            (&[0xcd, 0x01, 0x00], Value::Unsigned(256)),
            (&[0xcf, 0, 0, 0, 1, 0, 0, 0, 0], Value::Unsigned(1 << 32)),
            (&[0xd1, 0xff, 0xfe], Value::Negative(-2)),
            (&[0xd0, 0x05], Value::Unsigned(5)),
            (&[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], Value::Negative(i64::MIN)),
            (&[0xa2, b'h', b'i'], Value::Text("hi".into())),
            (&[0xd9, 2, b'h', b'i'], Value::Text("hi".into())),
            (&[0xda, 0, 1, b'x'], Value::Text("x".into())),
            (&[0x92, 1, 2], Value::Array(vec![Value::Unsigned(1), Value::Unsigned(2)])),
            (&[0xdc, 0, 1, 9], Value::Array(vec![Value::Unsigned(9)])),
            (&[0x81, 0xa1, b'k', 3], Value::Map(vec![(Value::Text("k".into()), Value::Unsigned(3))])),
            (&[0xde, 0, 1, 1, 2], Value::Map(vec![(Value::Unsigned(1), Value::Unsigned(2))])),
            // A note is padded.
            (&[0x07, 0, 0, 0], Value::Unsigned(7)),
        ] {
            assert_eq!(Value::read(bytes), Ok(value), "{bytes:x?}");
        }
    }

    #[test]
    fn refuses_what_is_broken() {
        for bytes in [
            &[][..],
            &[0xcd, 1],
            &[0xa3, b'h', b'i'],
            &[0xa1, 0xff],
            &[0xc1],
            &[0xdd, 0xff, 0xff, 0xff, 0xff],
            &[0xdf, 0xff, 0xff, 0xff, 0xff, 1],
            &[0x91; 100],
        ] {
            assert!(Value::read(bytes).is_err(), "{bytes:x?}");
        }
    }
}

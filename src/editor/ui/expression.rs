//! Sums and products typed into a number field: `10/3`, `2*(0.5+1)`, `-1e-3`. No names, no functions.

/// The deepest nesting of brackets that is parsed.
const DEEPEST: usize = 32;

/// Returns the value of `text`, or `None` if it is not an expression. May be infinite or not a number
/// (`1/0`).
pub fn value(text: &str) -> Option<f64> {
    let mut reader = Reader { rest: text.trim_start(), depth: 0 };
    let value = reader.sum()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut sum = self.product()?;
        loop {
            if self.take('+') {
                sum += self.product()?;
            } else if self.take('-') {
                sum -= self.product()?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut product = self.signed()?;
        loop {
            if self.take('*') {
                product *= self.signed()?;
            } else if self.take('/') {
                product /= self.signed()?;
            } else {
                return Some(product);
            }
        }
    }

    fn signed(&mut self) -> Option<f64> {
        if self.take('-') {
            return self.atom().map(|v| -v);
        }
        self.take('+');
        self.atom()
    }

    fn atom(&mut self) -> Option<f64> {
        if self.take('(') {
            self.depth += 1;
            let inside = (self.depth <= DEEPEST).then(|| self.sum())??;
            self.depth -= 1;
            return self.take(')').then_some(inside);
        }
        self.number()
    }

    /// Parses digits with an optional point and power of ten.
    fn number(&mut self) -> Option<f64> {
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
        let mut end = digits(self.rest);
        if self.rest[end..].starts_with('.') {
            end += 1 + digits(&self.rest[end + 1..]);
        }
        if let Some(power) = self.rest[end..].strip_prefix(['e', 'E']) {
            let sign = usize::from(power.starts_with(['+', '-']));
            let power = digits(&power[sign..]);
            end += if power > 0 { 1 + sign + power } else { 0 };
        }
        let value = self.rest[..end].parse().ok()?;
        self.rest = self.rest[end..].trim_start();
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn sums_and_products() {
        for (text, expected) in [
            ("10/3", 10.0 / 3.0),
            ("2*0.5", 1.0),
            (" 1 + 2 * 3 ", 7.0),
            ("(1+2)*3", 9.0),
            ("1-2-3", -4.0),
            ("8/4/2", 1.0),
            ("-3", -3.0),
            ("2*-3", -6.0),
            ("-(1+.5)", -1.5),
            ("1e-3+1E2", 100.001),
            ("5.", 5.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        assert_eq!(value("1/0"), Some(f64::INFINITY));
    }

    #[test]
    fn invalid_expressions() {
        let deep = "(".repeat(100_000);
        let texts = ["", ".", "1+", "*2", "(1", "1)", "1 2", "e5", "--1", "1e", "2x", "ü", "1_0", &deep];
        for text in texts {
            assert_eq!(value(text), None, "{}", text.get(..9).unwrap_or(text));
        }
    }
}

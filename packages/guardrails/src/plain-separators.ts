/** Spaces, hyphens and full-width forms that stand for ASCII. */
const forms = /[\t\u00a0\u2000-\u200a\u202f\u205f\u3000\u2010-\u2015\u2212\ufe58\ufe63\uff01-\uff5e]/g;

/** A text with every space as a space, every hyphen as a hyphen, and full-width letters, digits and signs as those of ASCII. Offsets stay the same. */
export function plainSeparators(text: string): string {
  return text.replaceAll(forms, (form) => {
    const unit = form.charCodeAt(0);
    if (unit >= 0xff01) return String.fromCharCode(unit - 0xfee0);
    return unit === 0xfe58 || unit === 0xfe63 || unit === 0x2212 || (unit >= 0x2010 && unit <= 0x2015) ? '-' : ' ';
  });
}

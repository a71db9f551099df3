// Constructing a formatter costs far more than using it.
const formatters = new Map<string, readonly [plain: Intl.NumberFormat, compact: Intl.NumberFormat]>();

/** Larger amounts are shown with three digits. */
const maxPlain = 100_000;

function formattersOf(currency: string): readonly [plain: Intl.NumberFormat, compact: Intl.NumberFormat] {
  const known = formatters.get(currency);
  if (known) return known;
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  const made = [
    new Intl.NumberFormat('en', style),
    new Intl.NumberFormat('en', { ...style, notation: 'compact', maximumSignificantDigits: 3 }),
  ] as const;
  formatters.set(currency, made);
  return made;
}

/** An amount of a currency (ISO 4217): `€49.90`, `−$1.5M`, `¥1,200`, `XAU 2`. */
export function formatMoney(value: number, currency: string): string {
  const [plain, compact] = formattersOf(currency);
  const size = Math.abs(value);
  const text = (size < maxPlain ? plain : compact).format(size);
  return `${value < 0 ? '−' : ''}${text}`;
}

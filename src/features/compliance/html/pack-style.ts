/** The style of the printable page. Black on white, A4 and Letter. */
export const packStyle = `
  :root { color-scheme: light; }
  *, *::before { box-sizing: border-box; }
  body { margin: 0 auto; padding: 2rem 1.5rem; max-width: 60rem; background: #fff; color: #16181d;
    font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
  h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
  h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; break-after: avoid; }
  h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; padding-top: .75rem; border-top: 1px solid #d5d9e0; break-after: avoid; }
  h4 { font-size: .9rem; margin: 1rem 0 .25rem; break-after: avoid; }
  p { margin: .25rem 0; }
  a { color: #1f4fbf; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #e3e6eb; }
  tr { break-inside: avoid; }
  th { font-weight: 600; }
  td { overflow-wrap: anywhere; }
  .facts th { width: 11rem; color: #4a5261; font-weight: 500; }
  .quiet { color: #4a5261; }
  .number { color: #4a5261; width: 2.5rem; font-variant-numeric: tabular-nums; }
  code { font: 12px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
  .status { white-space: nowrap; font-weight: 600; }
  .status::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .4rem; border: 1.5px solid currentColor; }
  .evidenced { color: #17663a; } .evidenced::before { background: currentColor; }
  .partial { color: #8a5a00; } .partial::before { border-left-width: .35rem; }
  .none { color: #4a5261; }
  .records td { font-size: 12px; }
  .field { display: inline-block; margin-right: .9rem; overflow-wrap: anywhere; }
  .field b { font-weight: 500; color: #4a5261; }
  @media (max-width: 30rem) {
    body { padding: 1rem .75rem; }
    .facts th { width: 7rem; }
  }
  @page { margin: 16mm 14mm; }
  @media print {
    body { padding: 0; max-width: none; font-size: 10.5px; }
    .records td, code { font-size: 9px; }
    a { color: inherit; text-decoration: none; }
    * { print-color-adjust: exact; }
  }
`;

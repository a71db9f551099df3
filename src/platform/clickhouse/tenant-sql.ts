import { tenantFunctions } from './tenant-functions.ts';

/** A tenant's query names something that the tenant filter does not cover. This is a bug: the service writes these queries itself. */
export class TenantSqlError extends Error {}

interface Token {
  kind: 'word' | 'number' | 'string' | 'parameter' | 'symbol';
  text: string;
  /** Upper case, for words that can be keywords; `''` for others, and for words behind a dot or `AS`, which are names. */
  keyword: string;
}

/**
 * The tokens of a tenant's query. Comments, quoted identifiers, heredocs, `;` and non-ASCII letters outside of string literals are rejected, so that
 * this tokenizer and the engine's cannot disagree.
 */
const tokenPattern =
  /(?<space>[ \t\r\n]+)|(?<word>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))|(?<string>'(?:[^'\\]|\\[^]|'')*')|(?<parameter>\{\w+:[\w(), ]+\})|(?<symbol>--|\/\*|[-+*/%=<>!|,.:?()[\]])/y;

/** Table functions that a tenant's query may read: they generate rows from their arguments. */
const tableFunctions: ReadonlySet<string> = new Set(['numbers']);

/** Words that may stand before a parenthesis without being functions. */
const beforeParenthesis: ReadonlySet<string> = new Set(
  'ALL AND AS BETWEEN BY CASE DISTINCT ELSE EXCEPT EXISTS FROM HAVING IN JOIN LIMIT LIKE NOT ON OR OVER PREWHERE SELECT SETS THEN USING WHEN WHERE WITH'.split(
    ' ',
  ),
);

/** Clauses that end the list of tables of a SELECT. */
const afterTables: ReadonlySet<string> = new Set('PREWHERE WHERE GROUP HAVING ORDER LIMIT UNION ARRAY'.split(' '));

/** Words before an operand, which may be a column named like a keyword. */
const beforeOperand: ReadonlySet<string> = new Set(
  `ALL AND ANY BETWEEN BY CASE DISTINCT DIV ELSE FROM GLOBAL HAVING ILIKE IN INTERVAL IS JOIN LIKE LIMIT MOD NOT OFFSET ON OR PREWHERE REGEXP SELECT THEN USING WHEN
   WHERE WITH XOR`.split(/\s+/),
);

/** Words that would start another statement or change settings. */
const refusedWords: ReadonlySet<string> = new Set(
  'ALTER ATTACH CREATE DELETE DESCRIBE DETACH DROP EXPLAIN FORMAT GRANT INSERT INTERSECT INTO OUTFILE QUALIFY SETTINGS SHOW SYSTEM TRUNCATE UPDATE VALUES WINDOW'.split(
    ' ',
  ),
);

/** Cache of checked statements; the service has few of them. */
const maxChecked = 2_000;

/**
 * Rejects every statement in which the engine could read a table that the tenant filter does not cover. The filter (`tenant-settings.ts`) is by table
 * name; the engine reads unlisted tables unfiltered.
 *
 * Allowed is one SELECT in an unambiguous subset of SQL: each `FROM` or `JOIN` is followed by one unqualified name from `tables`; functions are those
 * of `tenant-functions.ts`.
 */
export class TenantSql {
  readonly #tables: ReadonlySet<string>;
  readonly #checked = new Set<string>();

  /** @param tables names of the tables that the filter covers */
  constructor(tables: Iterable<string>) {
    this.#tables = new Set(tables);
  }

  /** Throws a {@link TenantSqlError} when `sql` is anything but a SELECT over the tenant's tables. */
  checkSelect(sql: string): void {
    this.#once(sql, 0);
  }

  /** The same for `INSERT INTO table (columns) SELECT ...`; returns the table's name. */
  checkInsertSelect(sql: string): string {
    const head = /^\s*INSERT INTO (\w+) \([\w, \n]+\)\s/.exec(sql);
    const table = head?.[1] ?? '';
    if (!head || !this.#tables.has(table)) throw new TenantSqlError('a tenant inserts into a table of its own alone');
    this.#once(sql, head[0].length);
    return table;
  }

  #once(sql: string, start: number): void {
    if (this.#checked.has(sql)) return;
    new SelectCheck(tokensOf(sql, start), this.#tables).run();
    if (this.#checked.size >= maxChecked) this.#checked.clear();
    this.#checked.add(sql);
  }
}

function tokensOf(sql: string, start: number): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = start;
  while (tokenPattern.lastIndex < sql.length) {
    const at = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(sql)?.groups;
    if (!groups) throw new TenantSqlError(`a tenant's query cannot hold ${JSON.stringify(sql.slice(at, at + 20))}`);
    if (groups['space'] !== undefined) continue;
    const kind =
      (['word', 'number', 'string', 'parameter', 'symbol'] as const).find((name) => groups[name] !== undefined) ?? 'symbol';
    const text = groups[kind] ?? '';
    if (text === '--' || text === '/*') throw new TenantSqlError("a tenant's query has no comments");
    if (kind === 'parameter' && /\bIdentifier\b/i.test(text))
      throw new TenantSqlError("a tenant's query takes no name as a parameter");
    const before = tokens.at(-1);
    const isName = before?.text === '.' || before?.keyword === 'AS';
    tokens.push({ kind, text, keyword: kind === 'word' && !isName ? text.toUpperCase() : '' });
  }
  return tokens;
}

/** The state of one pair of parentheses. */
interface Level {
  /** Between FROM and the next clause: a comma here would join another table. */
  amongTables: boolean;
}

class SelectCheck {
  readonly #tokens: readonly Token[];
  readonly #tables: ReadonlySet<string>;
  readonly #levels: Level[] = [{ amongTables: false }];

  constructor(tokens: readonly Token[], tables: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#tables = tables;
  }

  run(): void {
    const first = this.#tokens[0]?.keyword;
    if (first !== 'SELECT' && first !== 'WITH') throw new TenantSqlError("a tenant's query is a SELECT");
    for (const [index, token] of this.#tokens.entries()) {
      if (token.kind === 'word') this.#word(index, token);
      else if (token.kind === 'symbol') this.#symbol(token.text);
    }
    if (this.#levels.length !== 1) throw new TenantSqlError("a tenant's query closes its parentheses");
  }

  get #level(): Level {
    const level = this.#levels.at(-1);
    if (!level) throw new TenantSqlError("a tenant's query opens its parentheses");
    return level;
  }

  #symbol(text: string): void {
    if (text === '(') this.#levels.push({ amongTables: false });
    else if (text === ')') {
      this.#levels.pop();
      void this.#level;
    } else if (text === ',' && this.#level.amongTables)
      throw new TenantSqlError("a tenant's query joins tables with JOIN, not with a comma");
  }

  #word(index: number, { text, keyword }: Token): void {
    const [before, next] = [this.#tokens[index - 1], this.#tokens[index + 1]];
    if (refusedWords.has(keyword)) throw new TenantSqlError(`a tenant's query has no ${keyword}`);
    if (keyword === 'FROM' || (keyword === 'JOIN' && before?.keyword !== 'ARRAY')) {
      this.#table(index + 1);
      this.#level.amongTables = true;
    } else if (keyword === 'IN') this.#set(index + 1);
    else if (afterTables.has(keyword)) this.#endTables(keyword, before);
    else if (next?.text === '(' && !beforeParenthesis.has(keyword) && !this.#isTable(index)) this.#call(text);
  }

  /** Ends the list of tables, unless the word can be a column in an expression: `ON a = group, another`. */
  #endTables(keyword: string, before: Token | undefined): void {
    if (!this.#level.amongTables) return;
    if (!endsOperand(before)) throw new TenantSqlError(`a tenant's query has ${keyword} only where a clause begins`);
    this.#level.amongTables = false;
  }

  #table(index: number): void {
    const [table, next] = [this.#tokens[index], this.#tokens[index + 1]];
    if (table?.text === '(' && next?.keyword === 'SELECT') return;
    if (table?.kind === 'word') {
      if (next?.text === '(' && tableFunctions.has(table.text)) return;
      if (next?.text !== '(' && next?.text !== '.' && this.#tables.has(table.text)) return;
    }
    throw new TenantSqlError(`a tenant's query cannot read ${JSON.stringify(table?.text ?? '')}: it is no table of tenants`);
  }

  #isTable(index: number): boolean {
    const before = this.#tokens[index - 1]?.keyword;
    return before === 'FROM' || before === 'JOIN';
  }

  /**
   * `IN` may be followed by a list, a parameter, a call or a SELECT. A bare name there would be a table, as would the second argument of the function
   * `in`.
   */
  #set(index: number): void {
    let before = index - 2;
    while (['NOT', 'GLOBAL'].includes(this.#tokens[before]?.keyword ?? '')) before--;
    if (!endsOperand(this.#tokens[before])) throw new TenantSqlError("a tenant's query has IN only behind a value");
    let at = index;
    while (this.#tokens[at]?.text === '(') at++;
    const [first, next] = [this.#tokens[at], this.#tokens[at + 1]?.text];
    const isTable = first?.kind === 'word' && first.keyword !== 'SELECT' && next !== '(' && (at === index || next !== ',');
    if (isTable) throw new TenantSqlError(`a tenant's query looks for values in a list or a SELECT, not in ${first.text}`);
  }

  #call(name: string): void {
    if (!tenantFunctions.has(name))
      throw new TenantSqlError(`a tenant's query cannot call ${name}: it is not in tenant-functions.ts`);
  }
}

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  return token.kind === 'symbol' ? token.text === ')' || token.text === ']' : !beforeOperand.has(token.keyword);
}

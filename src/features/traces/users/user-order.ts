import type { UserSort } from '../../../contract/users.ts';
import type { SqlPart } from '../../../platform/clickhouse/index.ts';
import { isFloat64, isInt64, isUint64 } from '../list-cursor.ts';
import type { ListPosition } from '../list-cursor.ts';

/** The order of a list of users: by a figure, descending, and among equal ones by user id. */
export interface UserOrder {
  /** SQL of the figure over the sums of a user. */
  figure: string;
  type: 'Float64' | 'Int64' | 'UInt64';
  isValue(text: string): boolean;
}

const counted = (figure: string): UserOrder => ({ figure, type: 'UInt64', isValue: isUint64 });

export const userOrders: Record<UserSort, UserOrder> = {
  // Rounded, so that the order of summation neither decides between equal costs nor moves the end of a page. A product beyond 1e308 is no number.
  '-cost': { figure: 'if(total_cost < 1e15, round(total_cost, 12), total_cost)', type: 'Float64', isValue: isFloat64 },
  // As the answer shows it.
  '-lastSeen': { figure: 'toUnixTimestamp64Milli(max(start_time))', type: 'Int64', isValue: isInt64 },
  '-traces': counted('trace_count'),
  '-errors': counted('errors'),
};

/** An id may be too long for a cursor: beyond these characters a hash decides. */
const heldCharacters = 100;

const tie = `leftUTF8(user_id, ${heldCharacters}), cityHash64(user_id)`;

/** What a position needs of a user: `value` and `tie`. */
export function positionColumns({ figure }: UserOrder): string {
  return `toString(${figure}) AS value, toString(cityHash64(user_id)) AS tie`;
}

/** The position of a user in the list. */
export function positionOf({ value, tie: hash, user_id: userId }: { value: string; tie: string; user_id: string }): ListPosition {
  return { value, id: `${hash} ${[...userId].slice(0, heldCharacters).join('')}` };
}

/** Whether a text is the id of a position. */
export function isPositionId(text: string): boolean {
  const [hash = ''] = text.split(' ', 1);
  return isUint64(hash) && text.length > hash.length;
}

/** `ORDER BY` of an order. */
export function orderBy({ figure }: UserOrder): string {
  return `ORDER BY ${figure} DESC, ${tie}`;
}

/** The condition over the sums of a user that they are after a position. */
export function behind({ figure, type }: UserOrder, { value, id }: ListPosition): SqlPart {
  const [hash = ''] = id.split(' ', 1);
  const bound = `{afterValue:${type}}`;
  return {
    text: `(${figure} < ${bound} OR (${figure} = ${bound} AND (${tie}) > ({afterUser:String}, {afterTie:UInt64})))`,
    parameters: { afterValue: value, afterUser: id.slice(hash.length + 1), afterTie: hash },
  };
}

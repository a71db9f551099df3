// Worker threads load this module: it must not import the engine.
export { Table, TableRows, tenantTablesOf } from './table.ts';

import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** What the database does by itself, by name: triggers, functions, rules and row security. */
export type SchemaLogic = Readonly<Record<string, string>>;

/**
 * The triggers, functions and rules of the site's schema, and the tables with row security, without which policies do nothing. What
 * belongs to an extension and what PostgreSQL makes for foreign keys is left out; a disabled trigger counts as different. White space
 * in a function's text does not matter.
 */
export async function listSchemaLogic(db: Db): Promise<SchemaLogic> {
  const { rows } = await sql<{ name: string; definition: string }>`
    with here as (select current_schema()::regnamespace as schema)
    select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
      concat_ws(' ', l.lanname::text, pg_get_function_result(p.oid), p.provolatile::text, p.proisstrict, p.prosecdef,
        p.proconfig::text, trim(regexp_replace(p.prosrc, '\\s+', ' ', 'g'))) as definition
    from here, pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = here.schema
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'trigger ' || t.tgname || ' on ' || c.relname,
      concat_ws(' ', case t.tgenabled when 'O' then null else 'enabled ' || t.tgenabled::text end, pg_get_triggerdef(t.oid, true))
    from here, pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = here.schema and not t.tgisinternal
    union all
    select 'rule ' || r.rulename || ' on ' || c.relname, r.ev_enabled::text || ' ' || pg_get_ruledef(r.oid, true)
    from here, pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = here.schema and c.relkind in ('r', 'p')
    union all
    select 'row security of ' || c.relname, 'on' from here, pg_class c
    where c.relnamespace = here.schema and c.relrowsecurity
    order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

export function compareSchemaLogic(actual: SchemaLogic, expected: SchemaLogic) {
  return {
    extra: Object.keys(actual).filter((name) => !(name in expected)),
    missing: Object.keys(expected).filter((name) => !(name in actual)),
    changed: Object.keys(expected).filter((name) => name in actual && actual[name] !== expected[name]),
  };
}

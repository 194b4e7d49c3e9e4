import { type Static, Type } from 'typebox';
import { findAccountByEmail, searchAccounts } from '../../accounts/index.ts';
import type { AuditFilter } from '../../audit/index.ts';
import { plainAddress } from '../../platform/addresses/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';

const field = Type.Optional(Type.String({ maxLength: 300 }));

/** What can be asked of the audit; every field may be empty. */
export const auditFormSchema = Type.Object({
  who: field,
  action: field,
  subject: field,
  outcome: field,
  address: field,
  from: field,
  to: field,
  cursor: field,
});
export type AuditForm = Static<typeof auditFormSchema>;
export const auditFields = Object.keys(auditFormSchema.properties) as (keyof AuditForm)[];

export const auditLabels = { address: 'Internet address', from: 'First day', to: 'Last day' } as const;

const maxAccounts = 1000;

/** The filter that a form stands for. @throws Problem `unprocessable`, with what is wrong in which field. */
export async function filterFrom(db: Db, form: AuditForm): Promise<AuditFilter> {
  const { who, action, subject, outcome, address, from, to } = trimmed(form);
  const errors: FieldError[] = [
    ...(address && plainAddress(address) === undefined
      ? [{ pointer: '/address', message: 'must be one such as 192.0.2.7' }]
      : []),
    ...(['from', 'to'] as const).flatMap((name) =>
      isDay({ from, to }[name])
        ? []
        : [{ pointer: `/${name}`, message: 'must be a date such as 2026-11-21' }],
    ),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return {
    actor: who === undefined ? undefined : await findActor(db, who),
    action,
    subjectId: subject === undefined ? undefined : await findSubject(db, subject),
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
    address: address && plainAddress(address),
    from,
    to,
  };
}

function trimmed(form: AuditForm): AuditForm {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  );
}

/** Whether it is a day of the calendar, or nothing. */
function isDay(text: string | undefined): boolean {
  if (text === undefined) return true;
  // Years of more digits, and the year 0, are days to JavaScript and none to PostgreSQL.
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${text}T`);
}

/** Accounts by id, or by a part of their name, address or organisation; and whatever did something under this name. */
async function findActor(db: Db, who: string): Promise<NonNullable<AuditFilter['actor']>> {
  if (isUuid(who)) return { ids: [who], name: who };
  const accounts = await searchAccounts(db, { text: who, limit: maxAccounts });
  return { ids: accounts.map(({ id }) => id), name: who };
}

/** An account is named by its email address; all else by its id. */
async function findSubject(db: Db, subject: string): Promise<string> {
  const account = subject.includes('@') ? await findAccountByEmail(db, subject.toLowerCase()) : undefined;
  return account?.id ?? subject;
}

import { parse } from 'csv-parse/sync';
import { checkNewAccount, findAccountByEmail, type NewAccount, type Role } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { offerOrganisations, readOrganisation } from './read-organisation.ts';

/** People in one list: as many as somebody can look through. Each of them gets an email. */
export const maxTeam = 200;
const columns = ['name', 'email', 'roles', 'organisation'] as const;
type Column = (typeof columns)[number];

/** An operator can do everything here, so each of them is invited by hand. */
const teamRoles: readonly Role[] = ['referrer', 'provider', 'manager'];

/** A line of the list with its cells and errors. A line without errors has an `invitation`. */
export type TeamLine = Record<Column, string> & {
  line: number;
  errors: string[];
  invitation?: { name: string; email: string; roles: Role[]; organisation: NewAccount['organisation'] };
};

/**
 * Reads a list of people as CSV, or as cells copied from a spreadsheet.
 * @param usual the organisation of the lines that name none
 * @returns the lines, or what is wrong with the list as a whole
 */
export async function readTeam(db: Db, text: string, usual: string): Promise<TeamLine[] | string> {
  const lines = readLines(text);
  if (typeof lines === 'string') return lines;
  const seen = new Map<string, number>();
  const team: TeamLine[] = [];
  for (const line of lines) {
    const checked = await checkLine(db, { ...line, organisation: line.organisation || usual });
    const email = canonicalEmail(line.email);
    const earlier = seen.get(email);
    if (earlier !== undefined && email !== '')
      checked.errors.push(`Line ${earlier} has this email address too`);
    seen.set(email, earlier ?? line.line);
    team.push(checked);
  }
  return team.map(({ invitation, ...line }) => ({
    ...line,
    ...(line.errors.length === 0 && invitation && { invitation }),
  }));
}

type PlainLine = Record<Column, string> & { line: number };

function readLines(text: string): PlainLine[] | string {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as never;
  } catch {
    return 'This is not a CSV list: a quotation mark is missing';
  }
  const names = (records[0]?.record ?? []).map((each) => cleanText(each).toLowerCase());
  const missing = columns.slice(0, 3).filter((each) => !names.includes(each));
  const unknown = names.filter((each) => each !== '' && !columns.includes(each as Column));
  if (missing.length > 0) return `The first line must name the columns. It lacks: ${missing.join(', ')}`;
  if (unknown.length > 0) return `Remove the column “${unknown[0]}”. The columns are: ${columns.join(', ')}`;
  const people = records.slice(1);
  if (people.length === 0) return 'Enter at least one person below the line with the names of the columns';
  if (people.length > maxTeam) return `Invite at most ${maxTeam} people at a time`;
  return people.map(({ record, info }) => {
    const cell = (name: Column) => cleanText(record[names.indexOf(name)] ?? '');
    const [name, email, roles, organisation] = columns.map(cell) as [string, string, string, string];
    return { line: info.lines, name, email, roles, organisation };
  });
}

async function checkLine(db: Db, line: PlainLine): Promise<TeamLine> {
  const { name, email, organisation: typed } = line;
  const errors = checkNewAccount({ name, email }).map(({ pointer, message }) => inWords(pointer, message));
  const given = line.roles
    .toLowerCase()
    .split(/[\s;,/+]+/)
    .filter((each) => each !== '');
  const roles = teamRoles.filter((role) => given.includes(role));
  if (given.length === 0) errors.push(`Enter a role: ${teamRoles.join(', ')}`);
  const unknown = given.filter((each) => !teamRoles.includes(each as Role));
  if (unknown.includes('operator')) errors.push('Invite operators one by one');
  else if (unknown.length > 0)
    errors.push(`“${line.roles}” has a role that does not exist. The roles are: ${teamRoles.join(', ')}`);
  if (errors.length === 0 && (await findAccountByEmail(db, canonicalEmail(email))))
    errors.push('Somebody has an account with this email address already');
  const needsNone = typed === '' && roles.every((role) => role === 'manager');
  const organisation = needsNone ? undefined : await findOrganisationOrAdvice(db, roles, typed);
  if (typeof organisation === 'string') return { ...line, errors: [...errors, organisation] };
  return { ...line, errors, invitation: { name, email, roles, organisation } };
}

/** The organisation with exactly this name or id, or what to do instead. */
async function findOrganisationOrAdvice(db: Db, roles: readonly Role[], typed: string) {
  const form = { organisation: typed, organisation_offered_for: '', organisation_choice: '' };
  const found = await readOrganisation(db, roles, form);
  if (!(found instanceof Problem)) return found;
  if (typed === '') return 'Enter an organisation';
  const offered = (await offerOrganisations(db, roles, form)) ?? [];
  const similar = offered.filter(({ value }) => value.startsWith('is:')).map(({ text }) => `“${text}”`);
  const advice = similar.length > 0 ? `Did you mean ${similar.slice(0, 3).join(' or ')}?` : 'Add it first.';
  return `No organisation has exactly the name “${typed}”. ${advice}`;
}

function inWords(pointer: string, message: string): string {
  // Messages about the address are whole sentences.
  return pointer === '/name' ? `The name ${message}` : message;
}

import { parse } from 'csv-parse/sync';
import { checkNewAccount, findAccountByEmail, type NewAccount, type Role } from '../../accounts/index.ts';
import { toCsv } from '../../platform/csv.ts';
import type { Db } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { offerOrganisations, readOrganisation } from './read-organisation.ts';

/** How many people one list may have: no more than somebody can look through. Each of them gets an email. */
export const maxTeam = 200;
export const teamColumns = ['name', 'email', 'roles', 'organisation'] as const;
type Column = (typeof teamColumns)[number];
/** What spreadsheets call these columns, too. */
const otherNames: Readonly<Record<string, Column>> = {
  'full name': 'name',
  'email address': 'email',
  role: 'roles',
  organization: 'organisation',
};

/** How many similar names a line offers. */
const maxSimilar = 3;
/** Without `operator`: operators can do everything, so they are invited one by one. */
const teamRoles: readonly Role[] = ['referrer', 'provider', 'manager'];

/** A line of the list with its cells and errors. A line without errors has an `invitation`. */
export type TeamLine = Record<Column, string> & {
  line: number;
  errors: string[];
  /** Organisations with a name like the one that this site does not have. */
  similar: { id: string; name: string }[];
  invitation?: { name: string; email: string; roles: Role[]; organisation: NewAccount['organisation'] };
};

/**
 * Reads a list of people as CSV, or as cells copied from a spreadsheet.
 * @param defaultOrganisation the organisation of the lines that name none.
 * @returns the lines, or in words what is wrong with the list as a whole.
 */
export async function readTeam(
  db: Db,
  text: string,
  defaultOrganisation: string,
): Promise<TeamLine[] | string> {
  const lines = readLines(text);
  if (typeof lines === 'string') return lines;
  const lineOfEmail = new Map<string, number>();
  const team: TeamLine[] = [];
  for (const line of lines) {
    const teamLine = await checkLine(db, { ...line, organisation: line.organisation || defaultOrganisation });
    const email = canonicalEmail(line.email);
    const earlierLine = lineOfEmail.get(email);
    if (earlierLine !== undefined && email !== '')
      teamLine.errors.push(`Line ${earlierLine} has this email address too`);
    lineOfEmail.set(email, earlierLine ?? line.line);
    team.push(teamLine);
  }
  return team.map(({ invitation, ...line }) => ({
    ...line,
    ...(line.errors.length === 0 && invitation && { invitation }),
  }));
}

/** Gives every line that names the same organisation as this line another one: a colleague mistypes it on all of them. */
export function correctOrganisation(
  { list, organisation }: { list: string; organisation: string },
  { line, name }: { line: number; name: string },
): { list: string; organisation: string } {
  const lines = readLines(list);
  if (typeof lines === 'string') return { list, organisation };
  const wrong = lines.find((each) => each.line === line)?.organisation ?? '';
  // The line took the name from the field below the list.
  if (wrong === '') return { list, organisation: name };
  const corrected = lines.map((each) =>
    teamColumns.map((column) =>
      column === 'organisation' && each.organisation === wrong ? name : each[column],
    ),
  );
  return { list: toCsv(teamColumns, corrected), organisation };
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
  const names = (records[0]?.record ?? []).map((each) => {
    const name = cleanText(each).toLowerCase().replaceAll('-', '');
    return otherNames[name] ?? name;
  });
  const missing = teamColumns.slice(0, 3).filter((each) => !names.includes(each));
  const unknown = names.filter((each) => each !== '' && !teamColumns.includes(each as Column));
  if (missing.length > 0) return `The first line must name the columns. It lacks: ${missing.join(', ')}`;
  if (unknown.length > 0)
    return `Remove the column “${unknown[0]}”. The columns are: ${teamColumns.join(', ')}`;
  const people = records.slice(1);
  if (people.length === 0) return 'Enter at least one person below the line with the names of the columns';
  if (people.length > maxTeam) return `Invite at most ${maxTeam} people at a time`;
  return people.map(({ record, info }) => {
    const cell = (name: Column) => cleanText(record[names.indexOf(name)] ?? '');
    const [name, email, roles, organisation] = teamColumns.map(cell) as [string, string, string, string];
    return { line: info.lines, name, email, roles, organisation };
  });
}

async function checkLine(db: Db, line: PlainLine): Promise<TeamLine> {
  const { name, email, organisation: organisationText } = line;
  const errors = checkNewAccount({ name, email }).map(({ pointer, message }) => inWords(pointer, message));
  const roleNames = line.roles
    .toLowerCase()
    .split(/[\s;,/+]+/)
    .filter((each) => each !== '');
  const roles = teamRoles.filter((role) => roleNames.includes(role));
  if (roleNames.length === 0) errors.push(`Enter a role: ${teamRoles.join(', ')}`);
  const unknown = roleNames.filter((each) => !teamRoles.includes(each as Role));
  if (unknown.includes('operator')) errors.push('Invite operators one by one');
  else if (unknown.length > 0)
    errors.push(`“${line.roles}” is not a role. The roles are: ${teamRoles.join(', ')}`);
  if (errors.length === 0 && (await findAccountByEmail(db, canonicalEmail(email))))
    errors.push('Somebody has an account with this email address already');
  const hasNone = organisationText === '' && roles.every((role) => role === 'manager');
  const organisation = hasNone ? undefined : await findOrganisationOrAdvice(db, roles, organisationText);
  if (organisation && 'advice' in organisation)
    return { ...line, errors: [...errors, organisation.advice], similar: organisation.similar };
  return { ...line, errors, similar: [], invitation: { name, email, roles, organisation } };
}

/** The organisation with exactly this name or id, or what to do instead, and those with names like it. */
async function findOrganisationOrAdvice(db: Db, roles: readonly Role[], text: string) {
  const form = { organisation: text, organisation_offered_for: '', organisation_choice: '' };
  const organisation = await readOrganisation(db, roles, form);
  if (!(organisation instanceof Problem)) return organisation;
  if (text === '') return { advice: 'Enter an organisation', similar: [] };
  const choices = (await offerOrganisations(db, roles, form)) ?? [];
  const similar = choices
    .filter(({ value }) => value.startsWith('is:'))
    .slice(0, maxSimilar)
    .map(({ value, text }) => ({ id: value.slice('is:'.length), name: text }));
  const then = similar.length > 0 ? 'Choose the right one.' : 'Add it first.';
  return { advice: `No organisation has exactly the name “${text}”. ${then}`, similar };
}

function inWords(pointer: string, message: string): string {
  // Messages about the address are whole sentences.
  return pointer === '/name' ? `The name ${message}` : message;
}

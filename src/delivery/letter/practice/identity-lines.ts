import { cannotBePrinted, groupedNhsNumber, printedPart, type Referral } from '../../../referrals/index.ts';
import type { PatientLines } from '../letter.ts';
import { isRightToLeft, onlyRightToLeft, withoutRightToLeft } from '../printable.ts';
import { ageInYears, dateInWords, yearsInWords } from '../words.ts';

/** The lines by which a clerk finds a person, and tells namesakes apart. */
export function identityLines(
  patient: Referral['content']['patient'],
  date: Date,
): Pick<PatientLines, 'name' | 'ownScript' | 'identity' | 'numberNote'> {
  const { nhs_number: number, birth_date } = patient;
  // A clerk who cannot type the name searches by something else.
  const byWhat = namesToFind(patient) ? undefined : 'Search by';
  const [nhsNumber, numberNote] =
    number === undefined
      ? [
          'NHS number not known',
          `No NHS number. ${byWhat ? `${byWhat} date of birth and address` : 'Compare the name and date of birth'}.`,
        ]
      : // The site looks nobody up: see `notTraced` in build-bundle.ts.
        [
          `NHS number ${groupedNhsNumber(number)} (not traced)`,
          `“Not traced”: not checked against NHS records. ${byWhat ? `${byWhat} NHS number. Without it, date of birth and address must both match` : 'Compare the name and date of birth'}.`,
        ];
  const child = ageInYears(birth_date, date) < 16 ? ', a child' : '';
  return {
    name: nameInFull(patient),
    ...inOwnScript(patient),
    identity: `Born ${dateInWords(birth_date)} (${yearsInWords(birth_date, date)}${child})   ${nhsNumber}`,
    numberNote,
  };
}

/** If nobody can type the name, the NHS number comes first and the name last. */
export function withNumberFirst(
  lines: ReturnType<typeof identityLines>,
  patient: Referral['content']['patient'],
): ReturnType<typeof identityLines> {
  if (hasNameToFind(patient) || patient.nhs_number === undefined) return lines;
  const [born, number] = lines.identity.split(betweenFacts);
  const name = cannotBePrinted(patient.family_name + patient.given_name)
    ? 'Name not in Latin letters'
    : lines.name;
  return { ...lines, name: `${number}: search by this`, identity: [born, name].join(betweenFacts) };
}

const betweenFacts = '   ';

/** “HALL, Jo (Ms)”. Scripts that are read from right to left have no capitals, so words say which name is the surname. */
function nameInFull(patient: Referral['content']['patient']): string {
  const { family_name, given_name, title } = patient;
  // If the name was typed in both scripts, a clerk finds it by its Latin letters.
  const latin = namesToFind(patient);
  if (!latin && cannotBePrinted(family_name + given_name))
    return `NAME NOT IN LATIN LETTERS: search by ${patient.nhs_number ? 'NHS number' : 'date of birth and address'}`;
  if (!latin)
    return `${title === undefined ? '' : `Title: ${title}   `}Surname: ${family_name}   First name: ${given_name}`;
  const inBrackets = title === undefined ? '' : ` (${title})`;
  return `${latin.family_name.toLocaleUpperCase('en-GB')}, ${latin.given_name}${inBrackets}`;
}

type Names = Pick<Referral['content']['patient'], 'family_name' | 'given_name'>;

/** The names as a clerk can type them. Undefined if they have no Latin letters, or cannot be printed. */
function namesToFind(patient: Names): Names | undefined {
  const name = patient.family_name + patient.given_name;
  return cannotBePrinted(name) || isRightToLeft(name) ? latinNames(patient) : patient;
}

/** Whether a clerk can search for the name. */
export function hasNameToFind(patient: Names): boolean {
  return namesToFind(patient) !== undefined;
}

/** The Latin letters of both names; undefined if one has none. */
function latinNames(patient: Names): Names | undefined {
  const family_name = printedPart(withoutRightToLeft(patient.family_name));
  const given_name = printedPart(withoutRightToLeft(patient.given_name));
  return [family_name, given_name].every((name) => /\p{L}/u.test(name))
    ? { family_name, given_name }
    : undefined;
}

/** The name in the patient’s own script, under the Latin one, so that staff can compare it with papers of the patient. */
function inOwnScript({ family_name, given_name }: Names): Pick<PatientLines, 'ownScript'> {
  return isRightToLeft(family_name + given_name) && latinNames({ family_name, given_name })
    ? {
        ownScript: `In the patient’s own script – surname: ${onlyRightToLeft(family_name)}   first name: ${onlyRightToLeft(given_name)}`,
      }
    : {};
}

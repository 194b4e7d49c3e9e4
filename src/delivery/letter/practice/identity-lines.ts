import { cannotBePrinted, groupedNhsNumber, printedPart, type Referral } from '../../../referrals/index.ts';
import type { PatientLines } from '../letter.ts';
import { isRightToLeft, onlyRightToLeft, withoutRightToLeft } from '../printable.ts';
import { ageInYears, dateInWords, yearsInWords } from '../words.ts';

/** What finds a person, and tells two of one name apart. */
export function identityLines(
  patient: Referral['content']['patient'],
  date: Date,
): Pick<PatientLines, 'name' | 'ownScript' | 'identity' | 'numberNote'> {
  const { nhs_number: number, birth_date } = patient;
  // Somebody who cannot type the name finds the record by something else.
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

/** A name that nobody can type comes last: the record is found by the number. */
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

/** The words say which is the surname in scripts that are read from right to left: they have no capitals. */
function nameInFull(patient: Referral['content']['patient']): string {
  const { family_name, given_name, title } = patient;
  // A name that was typed in both scripts is found by its Latin letters.
  const latin = namesToFind(patient);
  if (!latin && cannotBePrinted(family_name + given_name))
    return `NAME NOT IN LATIN LETTERS: search by ${patient.nhs_number ? 'NHS number' : 'date of birth and address'}`;
  if (!latin)
    return `${title === undefined ? '' : `Title: ${title}   `}Surname: ${family_name}   First name: ${given_name}`;
  const inBrackets = title === undefined ? '' : ` (${title})`;
  return `${latin.family_name.toLocaleUpperCase('en-GB')}, ${latin.given_name}${inBrackets}`;
}

type Names = Pick<Referral['content']['patient'], 'family_name' | 'given_name'>;

/** The names that a clerk can type; undefined for a name that is only in a script from right to left, or that cannot be printed. */
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

/** Under the Latin name, what was typed: the patient may show it, and staff compare it. */
function inOwnScript({ family_name, given_name }: Names): Pick<PatientLines, 'ownScript'> {
  return isRightToLeft(family_name + given_name) && latinNames({ family_name, given_name })
    ? {
        ownScript: `In the patient’s own script – surname: ${onlyRightToLeft(family_name)}   first name: ${onlyRightToLeft(given_name)}`,
      }
    : {};
}

import type { Referral } from '../../referrals/index.ts';
import type { LetterFacts } from '../model/delivery.ts';
import type { PracticeLetterOptions } from './letter.ts';
import type { PracticeLetter, ReportedChange } from './practice/prepare-letter.ts';
import { listed, unbroken, withUnbrokenNumbers } from './words.ts';

type ToAsk = { who: string; telephone: string };

export function telephoneOf(facts: PracticeLetterOptions['facts']): string | undefined {
  return unbroken(facts?.serviceTelephone);
}

/** The number of the referrer, for this referral or in their account. */
export function referrerTelephone(
  { content: { referrer } }: Referral,
  facts: PracticeLetterOptions['facts'],
): string | undefined {
  return unbroken(referrer.telephone ?? facts?.referrerTelephone);
}

/** Whom a practice rings about a letter: “ring Sarrowby Choir (the service), 01632 960200; or …”. The same place in every letter has it. */
export function questionsTo(letter: PracticeLetter): string {
  const aboutMistake = ringAboutMistake(letter);
  if (aboutMistake !== undefined) return aboutMistake;
  const asked = whomToRing(letter);
  if (asked.length > 0)
    return `ring ${asked.map(({ who, telephone }) => `${who}, ${telephone}`).join('; or ')}`;
  const { site } = letter;
  const { name, organisation } = letter.referral.content.referrer;
  return (
    withUnbrokenNumbers(site.operatorContact) ??
    `${listed(name, organisation)}: no telephone number was recorded`
  );
}

/** A notice of a mistake says whom to tell in its steps: one number, and the same wherever it names one. */
function ringAboutMistake(letter: PracticeLetter): string | undefined {
  const { operatorContact } = letter.site;
  return letter.isRemovalNotice && operatorContact && /\d{4}/.test(operatorContact)
    ? `ring ${withUnbrokenNumbers(operatorContact)}`
    : undefined;
}

/** “ring 01632 960200”, for places with little room. */
export function ringInShort(letter: PracticeLetter): string {
  const aboutMistake = ringAboutMistake(letter);
  if (aboutMistake !== undefined) return aboutMistake;
  const [first] = whomToRing(letter);
  if (first) return `ring ${first.telephone}`;
  return letter.site.operatorContact
    ? `ask ${withUnbrokenNumbers(letter.site.operatorContact)}`
    : `contact ${letter.referral.content.referrer.name}`;
}

/** “ring Asha Patel (who referred), 01632 960888”: the person who referred knows best. Where no number is known, whom else. */
export function ringReferrer(letter: PracticeLetter): string {
  const telephone = referrerTelephone(letter.referral, letter.facts);
  return telephone
    ? `ring ${letter.referral.content.referrer.name} (who referred), ${telephone}`
    : ringInShort(letter);
}

/** “ring Jo Hall (the service), 01632 960200”: the person who told of the change knows most of it. Undefined where no number is known. */
export function ringWhoTold(
  letter: PracticeLetter,
  { side, by }: Pick<ReportedChange, 'side' | 'by'>,
): string | undefined {
  const { referral, facts } = letter;
  const isOfService = side === 'provider';
  const { name } = referral.content.referrer;
  const role = isOfService ? 'the service' : (by ?? name) === name ? 'who referred' : 'for the referrer';
  const who = `${by ?? (isOfService ? referral.service.name : name)} (${role})`;
  const telephone = isOfService ? telephoneOf(facts) : referrerTelephone(referral, facts);
  return side === undefined || telephone === undefined ? undefined : `ring ${who}, ${telephone}`;
}

function whomToRing(letter: PracticeLetter): ToAsk[] {
  const { referral, facts, purpose, isRemovalNotice } = letter;
  const { content, service } = referral;
  const { name, organisation } = content.referrer;
  // Nothing in a letter with a code alone shows the service, and a referral made by mistake is no longer its business.
  const isOfService = purpose !== 'removal' && !isRemovalNotice && !letter.isCodesOnly;
  const known = [
    isOfService && { who: `${service.name} (the service)`, telephone: telephoneOf(facts) },
    {
      // Whose they are stands at the end of the letter. Somebody who is asked to remove a letter looks for no other place.
      who: `${isRemovalNotice ? listed(name, organisation) : name} (who referred${facts && isRemovalNotice && isReferrer(referral, facts) ? ' and asks for this' : ''})`,
      telephone: referrerTelephone(referral, facts),
    },
    isRemovalNotice &&
      facts?.by &&
      !isReferrer(referral, facts) && {
        who: `${listed(facts.by.name, facts.by.organisation)} (who asks for this)`,
        telephone: unbroken(facts.by.telephone),
      },
  ];
  return known.filter((each): each is ToAsk => Boolean(each) && (each as ToAsk).telephone !== undefined);
}

/** The person who referred often withdraws too: the same person with the same number is named once. */
function isReferrer(referral: Referral, facts: LetterFacts): boolean {
  const { by } = facts;
  const digits = (telephone: string | null | undefined) => telephone?.replaceAll(/\s/g, '');
  return by?.isReferrer === true && digits(by.telephone) === digits(referrerTelephone(referral, facts));
}

/** Whom the practice answers, with a telephone number if there is one: the site's contact, or the person whose change the letter tells of. */
export function whoToTell(letter: PracticeLetter): string {
  const { referral, site, facts } = letter;
  const operatorContact = withUnbrokenNumbers(site.operatorContact);
  if (!facts?.by?.organisation) return operatorContact ?? `the people who run ${site.siteName}`;
  const whoChanged = whoMadeChange(referral, facts, facts.by);
  if (operatorContact === undefined) return whoChanged;
  return /\d{4}/.test(operatorContact) ? operatorContact : `${operatorContact}, or ${whoChanged}`;
}

/**
 * The person whose change the letter tells of, with a telephone number: their own, or else that of their side. A practice often
 * refers its own patients, so it reads where that is a colleague.
 */
export function whoMadeChange(
  { content: { referrer }, gp_practice }: Referral,
  facts: LetterFacts,
  { name, organisation, isReferrer, isOfReferrer, telephone, email }: NonNullable<LetterFacts['by']>,
): string {
  if (organisation !== null && !isOfReferrer)
    return listed(name, organisation, unbroken(telephone) ?? telephoneOf(facts));
  const isColleague =
    organisation !== null && referrer.ods_code !== null && referrer.ods_code === gp_practice?.ods_code;
  const ofReferrer = unbroken(referrer.telephone ?? facts.referrerTelephone);
  const instead = isReferrer ? ofReferrer : ofReferrer && `or ${referrer.name}, ${ofReferrer}`;
  // Without any telephone number, at least an address.
  return listed(
    isColleague ? `your colleague ${name}` : name,
    organisation,
    unbroken(telephone) ?? (organisation === null ? undefined : (instead ?? email)),
  );
}

import { typedWords } from '../../../library/index.ts';
import type { DeepPartial, ReferralContent } from '../referral.ts';
import { referralTexts, textsAt } from '../texts.ts';
import { dangerousNeeds } from './needs.ts';

// Somebody who is abused at home may be watched: a message to them, or a page about the referral, is read by the person who harms them. The
// words are wider than those of a crisis. A false alarm costs the person a page of their own, and nobody is alarmed.

const home =
  'husband|wife|partner|boyfriend|girlfriend|ex|ex husband|ex wife|ex partner|son|daughter|brother|sister|father|mother|dad|mum|family|carer|grandson|granddaughter|nephew|niece|uncle|aunt';
const watched =
  'phone|phones|mobile|email|emails|messages|texts|post|letters|money|pension|benefits|bank card';

const signs = [
  'domestic (abuse|violence)|domestically abused|coercive|coercion|(emotional|financial|physical|psychological|sexual|elder) abuse',
  'abus(ed|es|ing|ive|er|ers)|violen(t|ce)|perpetrators?|gaslight(s|ed|ing)?',
  '(very|so) controlling|controlling of (her|him|them|me)|controlling (behaviour|relationship)|on eggshells',
  `controlling (${home})|(${home}) (is|was) controlling(?! (his|her|their) (?!${watched}))|(${home}) (controls|checks|reads|takes|keeps|opens|monitors|watches|steals)( all)?( of)? (her|his|their|my) (${watched})`,
  // “He checks his email” says nothing: it is his own.
  `he (controls|checks|reads|takes|opens|monitors|steals)( all)?( of)? (her|their|my) (${watched})`,
  `she (controls|checks|reads|takes|opens|monitors|steals)( all)?( of)? (his|their|my) (${watched})`,
  `(${home}) (shouts|screams|swears|threatens|hits|hurts|beats)`,
  'marac|idva|isva|womens aid|refuge|clares law|non molestation|restraining order|injunction|occupation order',
  'stalk(s|er|ed|ing)|honour based|forced marriage|dowry|revenge porn',
  `fle(d|es|eing) (from )?(her|his|their|my|a|an|the) (abusive |violent )?(${home})|fleeing (abuse|violence|home)|had to flee`,
  `safeguarding (concerns?|enquiry|alert|referral|issue)|(scared|afraid|frightened|terrified) of (her|his|their|my) (${home})`,
];
const anySign = new RegExp(`(^| )(${signs.join('|')})( |$)`);

/** Drug and alcohol services write of these, which are done to nobody. */
const ofSubstances = /(drugs?|alcohol|substance|solvent|drink) (abuse[drs]?|abusing|abuser)/g;

/** Whether a text may tell of somebody who is abused, controlled or watched by a person close to them. */
export function mayTellOfAbuse(text: string): boolean {
  return anySign.test(typedWords(text).join(' ').replaceAll(ofSubstances, '-'));
}

/** The same of everything that a referral says. */
export function tellsOfAbuse(content: object): boolean {
  return Object.entries(referralTexts).some(
    ([path, { part }]) => part !== undefined && textsAt(content, path).some(mayTellOfAbuse),
  );
}

/** Whether a need or the words of a referral say that the person may be abused, controlled or watched at home. */
export function mayBeAbusedAtHome(content: DeepPartial<Pick<ReferralContent, 'needs'>>): boolean {
  return (content.needs ?? []).some((need) => dangerousNeeds.includes(need)) || tellsOfAbuse(content);
}

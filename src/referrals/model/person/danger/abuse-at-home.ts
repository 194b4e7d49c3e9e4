import { dangerWords } from '../../../../library/index.ts';
import type { DeepPartial, ReferralContent } from '../../referral.ts';
import { referralTexts, textsAt } from '../../text-rules.ts';
import { dangerousNeeds } from '../needs.ts';

// Somebody who is abused at home may be watched: a message to them, or a page about the referral, is read by the person who harms them. The
// words are wider than those of a crisis. A false alarm only means that the person gets no page of their own; nobody else is told.

const relations =
  'husband|wife|partner|boyfriend|girlfriend|ex|ex husband|ex wife|ex partner|son|daughter|brother|brothers|sister|father|mother|dad|mum|parents|stepdad|stepfather|stepmum|stepmother|stepson|family|in laws|relatives|carer|carers|grandson|granddaughter|nephew|niece|uncle|aunt';
/** Who holds people at work or in debt. */
const holder = 'boss|employer|landlord|gangmaster|agent|trafficker|traffickers|dealer|dealers|gang|man|men';
const privateThings =
  'phone|phones|mobile|email|emails|messages|texts|post|letters|money|pension|benefits|bank card|finances|wages';
const papers = 'passport|passports|documents|papers|visa|bank card|bank cards|pin|wages';
const whom = '(her|him|them|me)';
const whose = '(her|his|their|my)';
const afraid = '(scared|afraid|frightened|terrified|in fear)';

const domesticAbuse = [
  'domestic (abuse|violence|incidents?|disputes?)|domestically abused|called to a domestic|coercive|coercion',
  'abus(e|ed|es|ing|ive|er|ers)|perpetrators?',
  'violen(t|ce)(?! (storms?|winds?|weather|films?|games?|cough|coughing|vomiting|headaches?))',
  'marac|idva|isva|daashs?|dash (completed|done|score|assessment)|womens aid|refuge|clares law|non molestation|restraining order|injunction|occupation order',
  'stalk(s|er|ed|ing)|honour based|forced marriage|dowry|revenge porn|gaslight(s|ed|ing)?|on eggshells',
  'safeguarding (concerns?|enquiry|alert|referral|issue)',
  'police (were |was )?(called|came|attended) (to )?(the|her|his|their|my) (house|home|flat|address)',
  `fle(d|es|eing) (from )?(${whose}|a|an|the) (abusive |violent )?(${relations})|fleeing (abuse|violence|home)|had to (flee|leave home suddenly)`,
  `${afraid} of ${whose} (${relations}|${holder})|${afraid} of ${whose} temper|fears ${whose} (${relations}|${holder})`,
  `(wants|wanted|tries|tried|trying|plans|planning|${afraid}) to leave ${whom}|because of (his|her) temper|temper and (she|he|they) (is|are) ${afraid}`,
  `(hiding|hides|hid|escaped|escaping|ran away|running away) from ${whose} (${relations}|${holder})`,
  `(ex|ex husband|ex wife|ex partner|ex boyfriend|ex girlfriend) (turned up|turns up|keeps (turning|coming|calling|ringing|texting|following)|has found (her|his|their)|found (her|his|their)|wont leave|will not leave|follows|harasses|harassed|is harassing)`,
];

const control = [
  `(very|so) controlling|controlling of ${whom}|controlling (behaviour|relationship)|controlling (${relations})`,
  `(${relations}) (is|was) controlling(?! (his|her|their) (?!${privateThings}))`,
  `(${relations}) (controls?|checks?|reads?|takes?|keeps?|opens?|monitors?|watch|watches|tracks?|steals?)( all)?( of)? ${whose} (${privateThings})`,
  // “He checks his email” says nothing: it is his own.
  `he (controls|checks|reads|takes|opens|monitors|tracks|steals)( all)?( of)? (her|their|my) (${privateThings})`,
  `she (controls|checks|reads|takes|opens|monitors|tracks|steals)( all)?( of)? (his|their|my) (${privateThings})`,
  '(controls|controlled) (all )?(of )?the (money|finances)|no access to (her|his|their|any) own (money|account)',
  `(?<!(she|who|and) )(has|holds|hides|keeps|takes|took) (her|their|my) (${papers})|(?<!(he|who|and) )(has|holds|hides|keeps|takes|took) his (${papers})`,
  `(documents|passport|papers) (were|was|have been|has been|are|is) (taken|held|kept|confiscated)`,
  `(wont|will not|doesnt|does not|didnt|did not|never|refuses to) (let|lets|allow|allows) ${whom} (to )?(go out|leave|out|see|work|speak|talk|use|visit|meet|eat|sleep|have (money|friends|visitors|a phone))`,
  '(wont|will not|doesnt|does not|refuses to|refuse to) (let|allow) (the )?(carers?|nurses?|social workers?|professionals|anybody|anyone|us)',
  'not allowed (out|to (leave|go out|speak|talk|see|meet|eat|contact|use the phone|have (money|friends|visitors|a phone)))',
  '(ask|asks|asking) (for )?(his |her |their )?permission to (go|leave|see|spend|use|eat)',
  `(he|${relations}) (follows|follow|films|spies on|spy on|tracks) (her|them|me)|tracks where (she|he|they)|(tracker|tracking device|spyware) (on|in) ${whose}`,
  `isolat(es|ed|ing) ${whom}|cuts? ${whom} off from|(isolated|cut off) by ${whose} (${relations})|(isolated|cut off) from( \\w+){1,4} by ${whose} (${relations})`,
  `always (answers|speaks) for ${whom}|(answers|answered) (all )?(the )?questions for ${whom}|(man|woman|men) speaks? for ${whom}`,
  `lock(s|ed|ing)? ${whom} (in|out|up)|lock(s|ed)? the doors? so (she|he|they)|locked in (the|a|${whose}) (bedroom|room|house|flat|cellar)`,
  '(is|gets|got|was|very|so|extremely) (jealous|possessive)',
];

const violence = [
  `(${relations}) (shouts|screams|swears|threatens|hits|hurts|beats)`,
  `(throws|threw|throwing|chucks|chucked)( \\w+){1,2} at ${whom}`,
  `(pinch(es|ed|ing)?|grab(s|bed)|shov(es|ed|ing)|push(es|ed)|drag(s|ged)|headbutt(s|ed)) ${whom}(?=$| (by|against|around|about|over|down|into|on|when|if|and|hard|again|while|off|out|to the (floor|ground))( |$))`,
  `sp(its|at) (at|on) ${whom}|calls ${whom} names|belittl(es|ed|ing)|puts ${whom} down|humiliat(es|ed|ing) ${whom}|intimidat(es|ed|ing) ${whom}`,
  '(smashes|smashed|smashing) (her|their|my|the|things|up)|breaks things',
  `threat(ens|ened|ening) ${whom}(?! with (eviction|homelessness|court|bailiffs))|threat(ens|ened|ening) to (take (the |her |his |their )?(children|kids|baby)|share|hurt|harm|leave|report|deport|throw)`,
  `(pressur(es|ed|ing)|forc(es|ed|ing)|begs) ${whom} (for|into) sex|makes ${whom} do things`,
  'black eye|split lip|finger marks|flinch(es|ed|ing)|bruis(es|ing) (on|to|around) (her|his|their) (arms|face|neck|wrists|body|thighs)|marks on (her|his|their) (arms|neck|body|back|face)',
];

const careAndMoney = [
  `(is|are|was|were) rough with ${whom}|handl(es|ed|ing) ${whom} rough(ly)?|(left|leaves) ${whom} (in wet|wet|soiled|hungry|locked|without (food|water|help))|left without (food|water|medication) by`,
  `withh(olds|eld|olding) ${whose} (medication|medicine|food|tablets|money)|tablets to keep ${whom}|(ties|tied|tying) ${whom} (to|up)|tied to (the|a) (bed|chair)`,
  'neglected (by|at home)|being neglected|neglects (her|him|them|the child|the children)',
  `(steals|stole|stealing|stolen) from ${whom}|(?<!(she|who|and) )(takes|took) (her|their|my) (money|pension|savings|benefits)|gives ${whom} no (money|food)|living off ${whose} (money|pension|benefits)`,
  `money (is |was )?(missing|gone|going missing|disappearing) from|(made|makes|making|got|getting) ${whom} (to )?(change ${whose} will|sign over|sign away)|sign(s|ed)? over ${whose} (house|home|property)`,
];

const children = [
  'hit with (a|the) (belt|stick|shoe|slipper|cable|spoon)|comes into (her|his|my) (room|bedroom|bed)',
  '(children|kids|child|baby) (are |is |were |was )?(being )?left( home)? alone|(children|kids|child|baby) (are|is|were|was) (not fed|never fed|hungry|starving)',
  '(daddy|dad|mummy|mum|father|mother|stepdad) (hurts|hits|beats|smacks|touches|shouts)|children witness',
  '(being|been|was) groomed|groomed (by|online)|grooming (her|him|a child|children)|(nude|naked) (pictures|photos|images|pics)|nudes|older boyfriend',
  'county lines|cuckoo(ed|ing)|child (sexual|criminal) exploitation|gang (members?|violence)',
];

const marriageAndHonour = [
  '(made|forced|pressured|pushed|expected|told) to (get |be )?marr(y|ied)|(want|wants|wanting) (her|him|them) to marry',
  '(take|takes|taken|taking|send|sent|sending)( her| him| them)? (abroad|overseas|back home)( \\w+){0,3} (marry|marriage|wedding|married)',
  '(shame|dishonour|disgrace) (on|to|upon) (the|her|his|their) (family|community)|(dishonoured|shamed|disgraced) (the|her|his|their) family',
  `family have threatened|(${relations}) (is|are) (looking|searching) for (her|him)|booked flights|as a (servant|slave)|to speak to men`,
];

const trafficking = [
  'works?( \\w+){0,4} (for no pay|without pay|not paid|never paid)|lives where (he|she|they) works?|brought( \\w+){0,2} (here|uk|country|england|britain) to work',
  `(${holder}) (keeps?|holds?|has|have|takes?|took) ${whose} (${papers})|takes? ${whose} wages`,
  `(owes|owe|owing)( \\w+){0,3} (the|a) (${holder})`,
  'made to (sell|beg|steal|carry|have sex|work)|forced (to (work|sell|beg|steal|carry)|labour|into)|exploit(ed|s|ing|ation)|sex work(er)?|prostitut(e|ed|ion)',
  `dealers? (has |have |are |is )?(taken|taking|took|using|living|staying)|taken over ${whose} (flat|home|house)|(somebody|someone)( else)? (holds|has|keeps) ${whose} (${papers}|phone|money)`,
];

const signs = [
  ...domesticAbuse,
  ...control,
  ...violence,
  ...careAndMoney,
  ...children,
  ...marriageAndHonour,
  ...trafficking,
];
const anySign = new RegExp(`(^| )(${signs.join('|')})( |$)`);

/** Drug and alcohol services write of these, which are done to nobody. */
const ofSubstances = /(drugs?|alcohol|substance|solvent|drink) (abuse[drs]?|abusing|abuser)/g;

/**
 * A whole sentence that says that there is none, as forms ask: “No domestic abuse or safeguarding concerns.” Words that are not here may
 * take it back (“no abuse since he left”), so a sentence that has them counts.
 */
const denial =
  /^((there (is|are|was|were)|she|he|they|has|have|patient|person) )*(no|denies|denied|nil|not aware of) ((any|known|current|history of|evidence of|signs of|disclosure of|disclosed|reported|domestic|emotional|physical|sexual|financial|elder|or|and|other|active) )*(abuse|violence|coercion|neglect|exploitation|safeguarding (concerns?|issues?)|concerns?|issues?|risks?)(( or| and)?( any| domestic| other| physical| sexual)? (abuse|violence|coercion|neglect|exploitation|safeguarding (concerns?|issues?)|concerns?))*( (at home|at present|reported|disclosed|identified|known|noted|today))?$/;

/** Whether a text may tell of somebody who is abused, controlled or watched by a person close to them. */
export function mayTellOfAbuse(text: string): boolean {
  return text
    .split(/[.;!?\n]/)
    .map((sentence) => dangerWords(sentence).join(' '))
    .filter((sentence) => !denial.test(sentence))
    .some((sentence) => anySign.test(sentence.replaceAll(ofSubstances, '-')));
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

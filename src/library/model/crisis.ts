import type { Settings } from '../../platform/settings/index.ts';
import { typedWords } from './words.ts';

/** Said by people in danger, or about them. A site’s safety officer can add to the list, and take out of it. */
const defaultCrisisPhrases: readonly string[] = [
  // Somebody who may take their own life.
  `suicide, suicidal, end my life, end her life, end his life, end their life, ending my life, end it all, ending it all`,
  `want to die, wants to die, wanted to die, wanna die, want to be dead, wants to be dead, better off dead`,
  `better off without me, no reason to live, nothing to live for, dont want to live, doesnt want to live`,
  `dont want to be alive, dont want to be here anymore, kill myself, kill herself, kill himself, kill themselves`,
  `killed myself, killing myself, killing herself, killing himself, unalive myself, jump off, jump in front of`,
  `jumping off a bridge, hang myself, hang herself, hang himself, hanging myself, hanging herself, hanging himself`,
  `hurting himself, hurting herself, hurting themselves, want to end it, wants to end it, wanted to end it, cant go on`,
  `cannot go on, can not go on, ligature, jumping off bridge, jumping off the bridge, unalive`,
  // In Polish: to die, suicide, an overdose, rape, being beaten. Accents do not count, here and below.
  `samobójstwo, samobójstwa, samobójcze, chcę umrzeć, nie chcę żyć, zabić się, zabiję się`,
  `się zabić, się zabiję, przedawkowanie, przedawkować, przedawkował, przedawkowała, przedawkowałem, przedawkowałam`,
  `gwałt, zgwałcona, zgwałcony, zgwałcił, zgwałcili, mąż mnie bije, partner mnie bije`,
  // In Welsh.
  `hunanladdiad, eisiau marw, lladd fy hun, lladd ei hun, gorddos, cael fy nhreisio, trais rhywiol, hunan-niweidio`,
  // In Romanian.
  `sinucidere, mă sinucid, să mă omor, vreau să mor, vrea să moară, nu mai vreau să trăiesc, supradoză`,
  `am fost violată, am fost violat, a fost violată, m-a violat, soțul mă bate`,
  // In Ukrainian.
  `самогубство, самогубства, хочу померти, не хочу жити, вбити себе, убити себе, передозування, зґвалтування`,
  `зґвалтували, зґвалтував, зґвалтована, чоловік мене б'є`,
  // In Arabic, with and without hamza.
  `انتحار, الانتحار, أريد أن أموت, اريد ان اموت, أريد الموت, اريد الموت, أقتل نفسي, اقتل نفسي, سأقتل نفسي`,
  `ساقتل نفسي, لا أريد أن أعيش, لا اريد ان اعيش, جرعة زائدة, اغتصاب, الاغتصاب, اغتصبني, بدي أموت, بدي اموت`,
  // In Urdu and Punjabi, in their own scripts and in Latin letters.
  `خودکشی, خود کشی, مرنا چاہتا, مرنا چاہتی, جینا نہیں چاہتا, جینا نہیں چاہتی, زہر کھا لیا, زنا بالجبر, عصمت دری`,
  `ਖੁਦਕੁਸ਼ੀ, ਆਤਮਹੱਤਿਆ, ਆਤਮ ਹੱਤਿਆ, ਮਰਨਾ ਚਾਹੁੰਦਾ, ਮਰਨਾ ਚਾਹੁੰਦੀ, ਬਲਾਤਕਾਰ`,
  `khudkushi, khud kushi, marna chahta, marna chahti, marna chahunda, marna chahundi, jeena nahi chahta`,
  `jeena nahi chahti, zehar kha liya, balatkar`,
  `voices telling me, voices tell me, voices telling her, voices telling him`,
  // Somebody who has swallowed something.
  `overdose, overdosed, overdosing, over dose, over dosed, took too many pills, took too many tablets, took pills`,
  `taken pills, took tablets, taken tablets, all my pills, all my tablets, swallowed bleach, swallow bleach`,
  `drank bleach, drunk bleach, drink bleach, drinking bleach`,
  `took all her tablets, took all his tablets, took all my tablets, took all their tablets, will take all her tablets`,
  `will take all his tablets, will take all my tablets, will take all their tablets, will take all the tablets`,
  // Somebody who needs an ambulance. Clubs for those who had a stroke are no emergency.
  `chest pain, chest pains, having a stroke, had a stroke today, not waking up, bleeding heavily`,
  // Somebody who hurts themselves.
  `self harm, self harms, self harming, self harmed, selfharm, selfharming, hurting myself, cutting myself`,
  `cutting herself, cutting himself, cut my wrists, slit my wrists, slit my wrist, slit her wrists, slit his wrists`,
  `slitting my wrists`,
  // Somebody whom another person hurts.
  `rape, raped, sexual assault, sexually assaulted, forced to have sex, forced me to have sex, made me have sex`,
  `makes me have sex, being abused, being hurt, being beaten, forced marriage, beats me, beats her, beats him`,
  `beating me, hits me, hits her, hits him, hit me, hitting me, hit by her husband, hit by my husband`,
  `hit by husband, hit by his wife, hit by my partner, strangled, strangles, strangling, choked me, chokes me`,
  `stabbed, kill me, threatens to kill, threatened to kill, threatening to kill, scared of my husband`,
  `scared of her husband, scared of my partner, scared of her partner, afraid of my husband, afraid of her husband`,
  `afraid of my partner, afraid of her partner, touches me, touched me, touches her, fgm, female genital mutilation`,
  // A child in danger, or somebody who looks after one.
  `child abuse, touched my child, touched my daughter, touched my son, touching my child, touches my child`,
  `going to hurt the baby, going to hurt the child, going to hurt my baby, going to hurt my child`,
  `run away from home, ran away from home, running away from home, cant keep my child safe`,
  `cannot keep my child safe, can not keep my child safe, cant keep my children safe, cant keep myself safe`,
  `cannot keep myself safe, baby shaken, shaken baby, shaken my baby, shook my baby, starving baby, starving my baby, kill him, kill her`,
  // As people type in a hurry.
  `sucide, suicde, suiside, suicid, suside, sucidal, suicidle, suicidial, suisidal, suicidel, kil myself`,
  `kil my self, kill my self, killmyself, wana die, overdoze, overdozed, overdos, over doze, self harmin, stabed`,
  // Added after a safety officer had tried how staff write of others.
  `take my own life, took my own life, life is not worth living, life isnt worth living, tried to end it, took an od`,
  `want to be here any more, wants to be here any more, want to be here anymore, wants to be here anymore`,
  `throw myself under, throw herself under, throw himself under, threw herself under, threw himself under`,
  `heart attack now, having a heart attack, cant breathe, cannot breathe, can not breathe, is unconscious`,
  `found unconscious, has collapsed, just collapsed, threatened with a knife, threatens me with, threatened me with`,
  `threatened her with, threatened him with, sexually abused, sexual abuse, molested, molests, violent partner`,
  `violent husband, violent boyfriend, violent ex, scared of my dad, scared of her dad, scared of his dad`,
  `scared of my mum, scared of her mum, scared of his mum, not safe at home, unsafe at home, scared to go home`,
  `afraid to go home, frightened to go home, trafficked, human trafficking, modern slavery, want to kill`,
  `wants to kill, going to kill, kill my wife, kill my husband`,
].flatMap((line) => line.split(', '));

const selves = ['myself', 'himself', 'herself', 'themselves', 'themself'];
const pronouns = ['me', 'him', 'her', 'them'];
const theirOwn = ['my', 'his', 'her', 'their'].map((whose) => `${whose} own life`);
const dependants = ['my', 'his', 'her', 'the', 'their'].flatMap((whose) =>
  ['baby', 'child', 'children', 'kids'].map((who) => `${whose} ${who}`),
);

/** What people do to themselves or each other, in every person and tense in which staff and people write it. */
const defaultCrisisDeeds: readonly string[] = [
  ...everyPair('kill kills killed killing hurt hurts hurting harm harms harmed harming', selves),
  ...everyPair(
    'cut cuts cutting burn burns burning burnt hang hangs hanged hung hanging drown drowning',
    selves,
  ),
  ...everyPair('take takes took taken taking', theirOwn),
  ...everyPair(
    'hit hits hitting beat beats beating punch punches punched punching kick kicks kicked',
    pronouns,
  ),
  ...everyPair(
    'slap slaps slapped slapping strangled strangles choked chokes stabbed stabs raped rapes',
    pronouns,
  ),
  ...everyPair('hurt hurts hurting harm harms harming kill kills killing shake shaking shook', dependants),
];

function everyPair(verbs: string, objects: readonly string[]): string[] {
  return verbs.split(' ').flatMap((verb) => objects.map((object) => `${verb} ${object}`));
}

/** “Cuts herself off from friends” and “was kicked out” are no emergency. */
const harmlessEnding = / (cut|cuts|cutting|burn|burns|burning|kick|kicks|kicked) (\w+) (off|out) /g;

const inWords = (phrase: string) => ` ${typedWords(phrase).join(' ')} `;
const builtIn = [...defaultCrisisPhrases, ...defaultCrisisDeeds].map(inWords);

/**
 * Whether these words of a search or a referral suggest that somebody is in danger. `ownPhrases` are the site's: they are added to
 * the built-in list, so a site cannot lose built-in phrases by mistake. A phrase that begins with a hyphen is removed from the list.
 */
export function mentionsCrisis(typed: string, ownPhrases: readonly string[] = []): boolean {
  const text = inWords(typed).replaceAll(harmlessEnding, ' ');
  const takenOut = new Set(ownPhrases.filter((phrase) => phrase.startsWith('-')).map(inWords));
  const added = ownPhrases.filter((phrase) => !phrase.startsWith('-')).map(inWords);
  return [...builtIn, ...added].some((phrase) => !takenOut.has(phrase) && text.includes(phrase));
}

/** Whom to call, for the answer to a search that mentions a crisis. */
export function crisisHelpFor(
  { crisisPhrases, safeguardingContact }: Pick<Settings, 'crisisPhrases' | 'safeguardingContact'>,
  search: string | undefined,
) {
  if (search === undefined || !mentionsCrisis(search, crisisPhrases)) return undefined;
  return {
    emergency_number: '999',
    mental_health_number: '111',
    listening_number: '116 123',
    safeguarding_contact: safeguardingContact ?? null,
  };
}

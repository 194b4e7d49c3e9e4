// The built-in words of a crisis in English. Other languages are in crisis-languages.ts, and crisis.ts looks for them in a text.

const listed = (lines: readonly string[]) => lines.flatMap((line) => line.split(', '));

/** Words of somebody who may take their own life or harms themselves, or about them. A search for them begins with what helps in a crisis. */
export const ownLifePhrases: readonly string[] = listed([
  // Somebody who may take their own life.
  `suicide, suicidal, end my life, end her life, end his life, end their life, ending my life, end it all`,
  `ending it all, want to die, wants to die, wanted to die, wanna die, want to be dead, wants to be dead`,
  `better off dead, better off without me, no reason to live, nothing to live for, dont want to live`,
  `doesnt want to live, dont want to be alive, dont want to be here anymore, kill myself, kill herself`,
  `kill himself, kill themselves, killed myself, killing myself, killing herself, killing himself`,
  `unalive myself, jump off, jump in front of, jumping off a bridge, hang myself, hang herself, hang himself`,
  `hanging myself, hanging herself, hanging himself, hurting himself, hurting herself, hurting themselves`,
  `want to end it, wants to end it, wanted to end it, cant go on, cannot go on, can not go on, ligature`,
  `jumping off bridge, jumping off the bridge, unalive`,
  // Somebody who has swallowed something.
  `overdose, overdoses, overdosed, overdosing, over dose, over dosed, took pills, taken pills, took tablets`,
  `taken tablets, all my pills, all my tablets, swallowed bleach, swallow bleach, drank bleach, drunk bleach`,
  `drink bleach, drinking bleach, took all her tablets, took all his tablets, took all my tablets`,
  `took all their tablets, will take all her tablets, will take all his tablets, will take all my tablets`,
  `will take all their tablets, will take all the tablets`,
  // Somebody who hurts themselves.
  `self harm, self harms, self harming, self harmed, selfharm, selfharms, selfharmed, selfharming, self injury`,
  `self injuring, self injures, self injured`,
  // A child in danger, or somebody who looks after one.
  `cant keep myself safe, cannot keep myself safe`,
  // As people type in a hurry.
  `sucide, suicde, suiside, suicid, suside, sucidal, suicidle, suicidial, suisidal, suicidel, kil myself`,
  `kil my self, kill my self, killmyself, wana die, overdoze, overdozed, overdos, over doze, self harmin`,
  // Added after a safety officer had tried how staff write of others.
  `take my own life, took my own life, life is not worth living, life isnt worth living, tried to end it`,
  `took an od, want to be here any more, wants to be here any more, want to be here anymore`,
  `wants to be here anymore, throw myself under, throw herself under, throw himself under, threw herself under`,
  `threw himself under`,
  // As people write it in messages, and of a sleep that does not end.
  `kms, kys, sleep forever, sleeping forever, never wake up, not wake up again, dont want to wake up`,
  `doesnt want to wake up, not want to wake up, go to sleep and not wake up, saving up tablets, saving up pills`,
  `saving up her tablets, saving up his tablets, saving up my tablets, stockpiling tablets, stockpiling pills`,
  // Added after readers had tried letters: what somebody does who means to die, or says of a husband or wife who has died.
  `goodbye letter, goodbye letters, goodbye note, goodbye notes, farewell letter, farewell letters`,
  `farewell note`,
  // From the trial of November 2026: no way out, held at home, left without help, and a child with marks.
  `cant see a way out, cannot see a way out, can not see a way out, sees no way out, cant see any way out`,
  `cannot see any way out, can not see any way out, no point in living, no point living`,
  // From the third trial by a safety officer: what somebody has ready, has said to others, or is tired of.
  `said goodbye to everyone, saying goodbye to everyone, said her goodbyes, said his goodbyes, said my goodbyes`,
  `saying her goodbyes, saying his goodbyes, see the point any more, see the point anymore`,
  `see the point in living, see the point of living, no point going on, wants it all to be over`,
  `want it all to be over, rather be dead, would not wake up, wouldnt wake up, hopes she doesnt wake up`,
  `hopes he doesnt wake up, hope i dont wake up, would be better off without, all be better off without`,
  `theyd be better off without, ways to die, ways to kill, painless way to, on the train tracks`,
  `on the railway tracks, stood on the bridge, standing on the bridge, standing on a bridge, stood on a bridge`,
  `cant carry on, cannot carry on, can not carry on, cant do this any more, cant do this anymore`,
  `cant take it any more, cant take it anymore, had enough of life, had enough of living, tired of living`,
  `tired of life, sick of living, wants to disappear, want to disappear, bought a rope, got a rope`,
  `has a rope in, handful of pills, handful of tablets, packets of paracetamol, boxes of paracetamol`,
]);

const otherDangers: readonly string[] = listed([
  // Somebody who hears voices.
  `voices telling me, voices tell me, voices telling her, voices telling him, voices telling them`,
  `voices tell her, voices tell him`,
  // Somebody who needs an ambulance. Clubs for those who had a stroke are no emergency.
  `chest pain, chest pains, having a stroke, had a stroke today, not waking up, bleeding heavily`,
  // Somebody whom another person hurts.
  `rape, rapes, raped, raping, rapist, sexual assault, sexually assaulted, forced to have sex, by the throat`,
  `being hurt, forced marriage, hit by her husband, hit by my husband, hit by husband, hit by his wife`,
  `hit by my partner, strangled, strangles, strangling, choked me, chokes me, stabbed, kill me`,
  `threatens to kill, threatened to kill, threatening to kill, scared of my husband, scared of her husband`,
  `scared of my partner, scared of her partner, afraid of my husband, afraid of her husband`,
  `afraid of my partner, afraid of her partner, touches me, touched me, touches her, fgm`,
  `female genital mutilation`,
  // A child in danger, or somebody who looks after one.
  `child abuse, touched my child, touched my daughter, touched my son, touching my child, touches my child`,
  `going to hurt the baby, going to hurt the child, going to hurt my baby, going to hurt my child`,
  `run away from home, ran away from home, running away from home, cant keep my child safe`,
  `cannot keep my child safe, can not keep my child safe, cant keep my children safe, baby shaken, shaken baby`,
  `shaken my baby, shook my baby, starving baby, starving my baby, kill him, kill her`,
  // As people type in a hurry.
  `stabed`,
  // Added after a safety officer had tried how staff write of others.
  `heart attack now, having a heart attack, cant breathe, cannot breathe, can not breathe, is unconscious`,
  `found unconscious, has collapsed, just collapsed, threatened with a knife, threatens me with`,
  `threatened me with, threatened her with, threatened him with, sexually abused, sexual abuse, molested`,
  `molests, violent partner, violent husband, violent boyfriend, violent ex, scared of my dad`,
  `scared of her dad, scared of his dad, scared of my mum, scared of her mum, scared of his mum`,
  `not safe at home, unsafe at home, scared to go home, afraid to go home, frightened to go home, trafficked`,
  `human trafficking, modern slavery, want to kill, wants to kill, going to kill, kill my wife, kill my husband`,
  // From the trial of November 2026: no way out, held at home, left without help, and a child with marks.
  `stopped eating and drinking, stopped eating or drinking, not eating or drinking, not eating and drinking`,
  `on the floor since, found on the floor, still on the floor, has bruises, unexplained bruise`,
  `unexplained bruises, covered in bruises, bruises all over`,
  // Only domestic abuse that goes on now: many referrals tell of it in the past, and nobody would read a mark that all of them have.
  `experiencing domestic abuse, experiencing domestic violence, suffering domestic abuse`,
  `suffering domestic violence`,
]);

/** Words said by people in danger, or about them. A site’s safety officer can add phrases and remove them. */
export const defaultCrisisPhrases: readonly string[] = [...ownLifePhrases, ...otherDangers];

const selves = ['myself', 'yourself', 'himself', 'herself', 'itself', 'ourselves', 'themselves', 'themself'];
const pronouns = ['me', 'him', 'her', 'us', 'them'];
const whose = ['my', 'his', 'her', 'their', 'our'];
const relatives = everyPair(
  whose,
  'wife husband partner girlfriend boyfriend ex mum mother dad father sister brother',
);
const dependants = everyPair([...whose, 'the'], 'baby child children kids son daughter');

const lovedOnes = everyPair(whose, 'son sons daughter daughters child children kids');
const lateOnes = everyPair(
  whose,
  everyPair('late dead', 'wife husband partner mum mother dad father son daughter brother sister'),
);

/** The forms of a verb: what staff and people write of yesterday, of today and of every day. */
const violence = [
  ...['hit hits hitting', 'beat beats beaten beating', 'punch punches punched punching'],
  ...['kick kicks kicked kicking', 'slap slaps slapped slapping', 'strangle strangles strangled strangling'],
  ...[
    'choke chokes choked choking',
    'throttle throttles throttled throttling',
    'stab stabs stabbed stabbing',
  ],
  ...[
    'suffocate suffocates suffocated suffocating',
    'rape rapes raped raping',
    'attack attacks attacked attacking',
  ],
  ...['assault assaults assaulted assaulting', 'abuse abuses abused abusing', 'shoot shoots shot shooting'],
  ...['molest molests molested molesting', 'burn burns burned burnt burning', 'harm harms harmed harming'],
  ...['poison poisons poisoned poisoning', 'drown drowns drowned drowning'],
].join(' ');
const selfHarm = [
  ...['kill kills killed killing', 'hurt hurts hurting', 'harm harms harmed harming', 'cut cuts cutting'],
  ...['burn burns burned burnt burning', 'hang hangs hanged hung hanging', 'drown drowns drowned drowning'],
  ...[
    'stab stabs stabbed stabbing',
    'strangle strangles strangled strangling',
    'choke chokes choked choking',
  ],
  ...['suffocate suffocates suffocated suffocating', 'poison poisons poisoned poisoning'],
  ...['starve starves starved starving', 'shoot shoots shot shooting', 'injure injures injured injuring'],
  ...['hit hits hitting', 'punch punches punched punching'],
].join(' ');

/**
 * What people do to themselves or each other, in every form of each verb. A few forms are left out, because they are mostly said of something
 * else: pain is “killing me”, illness “killed him”, and it “hurts him to walk”.
 */
export const defaultCrisisDeeds: readonly string[] = [
  ...everyPair(selfHarm, selves),
  ...everyPair(violence, [...pronouns, ...relatives, ...dependants]),
  ...everyPair('kill kills killing', [
    ...pronouns.filter((whom) => whom !== 'me'),
    ...relatives,
    ...dependants,
  ]),
  ...everyPair('hurt hurts hurting', [...relatives, ...dependants]),
  ...everyPair('shake shakes shook shaken shaking smother smothers smothered smothering', dependants),
  ...everyPair('starve starves starved starving', dependants),
  ...everyPair('touches touched touching', dependants),
  ...everyPair('touches touched', pronouns),
  ...everyPair('take takes took taken taking', everyPair(whose, ['own life'])),
  ...everyPair('end ends ended ending', everyPair(whose, ['life', 'own life'])),
  ...everyPair('end ends ended ending', ['it all']),
  ...everyPair(['sleep for', 'sleeping for'], ['ever']),
  ...everyPair('want wants wanted wanting', ['to die', 'to be dead', 'to end it', 'to kill']),
  ...everyPair('slit slits slitting cut cuts cutting', everyPair(whose, 'wrist wrists')),
  ...everyPair('swallow swallows swallowed swallowing drink drinks drank drunk drinking', ['bleach']),
  ...everyPair('take takes took taken taking', [
    ...everyPair(['too many'], 'pills tablets'),
    ...everyPair(['all my', 'all his', 'all her', 'all their', 'all the'], 'pills tablets'),
  ]),
  ...everyPair(
    'took swallowed',
    everyPair(
      '10 12 15 16 20 24 25 28 30 32 40 48 50 56 60 64 80 96 100',
      'paracetamol tablets pills ibuprofen',
    ),
  ),
  ...everyPair(
    'has have got',
    everyPair('the her his my', ['pills ready', 'tablets ready', 'medication ready to take']),
  ),
  ...everyPair(
    'stockpile stockpiles stockpiled stockpiling hoard hoards hoarded hoarding',
    'medication medicines tablets pills',
  ),
  ...everyPair('cuts cutting', everyPair(whose, 'arms legs thighs')),
  ...everyPair('cut cuts cutting', everyPair(whose, 'throat')),
  ...everyPair('jump jumps jumped jumping', ['in front of', 'off a bridge', 'off the bridge', 'off bridge']),
  ...everyPair('throw throws threw thrown throwing', everyPair(selves, ['under', 'off', 'in front of'])),
  ...everyPair(
    'walk walks walked walking',
    everyPair('into', ['the river', 'the sea', 'the canal', 'the water']),
  ),
  ...everyPair('write writes wrote written writing', everyPair(['a letter to', 'letters to'], lovedOnes)),
  ...everyPair(
    'give gives gave given giving',
    everyPair(whose, everyPair('dog cat pets things belongings tools', ['away'])),
  ),
  ...everyPair(
    'give gives gave given giving',
    everyPair('away', everyPair(whose, 'dog cat pets things belongings tools')),
  ),
  ...everyPair('be', everyPair(['with'], lateOnes)),
  ...everyPair('join joins joining', lateOnes),
  ...everyPair('threaten threatens threatened threatening', ['to kill', 'to stab', 'to hurt', 'to burn']),
  ...everyPair('threaten threatens threatened threatening', everyPair(pronouns, ['with'])),
  ...everyPair('force forces forced forcing', everyPair(pronouns, ['to have sex'])),
  ...everyPair('make makes made making', everyPair(pronouns, ['have sex'])),
  ...everyPair('push pushes pushed pushing', everyPair(pronouns, ['down the stairs'])),
  ...everyPair(
    'being been',
    'beaten punched kicked slapped strangled choked stabbed raped attacked assaulted',
  ),
  ...everyPair('being been', 'abused molested'),
  ...everyPair(
    'scared afraid frightened terrified',
    everyPair(['of'], [...relatives, 'him', 'dad', 'daddy', 'mum', 'mummy', 'husband', 'partner']),
  ),
  ...everyPair('wish wishes wished wishing', everyPair('i he she they', ['was dead', 'were dead'])),
  ...everyPair('lock locks locked locking', everyPair(pronouns, ['in'])),
  // “Does not want to live with her son” is no crisis.
  ...everyPair(
    'not dont doesnt didnt',
    everyPair(
      ['want to'],
      ['be alive', 'exist', 'wake up', 'live any more', 'live anymore', 'live any longer'],
    ),
  ),
  ...everyPair(
    ['no longer'],
    everyPair('want wants wanted', ['to live', 'to be alive', 'to exist', 'to wake up', 'to be here']),
  ),
  ...everyPair('want wants wanted hopes wishes', ['not to wake up', 'to not wake up', 'to never wake up']),
  ...everyPair(['no point in', 'no point'], ['being alive', 'living', 'going on', 'being here']),
  ...everyPair(['rather not'], ['be alive', 'be here', 'wake up', 'live']),
];

function everyPair(first: string | readonly string[], second: string | readonly string[]): string[] {
  const listOf = (words: string | readonly string[]) =>
    typeof words === 'string' ? words.split(' ') : words;
  return listOf(first).flatMap((one) => listOf(second).map((other) => `${one} ${other}`));
}

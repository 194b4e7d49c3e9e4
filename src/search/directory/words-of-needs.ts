import { type Need, typedWords } from '../../library/index.ts';

/**
 * Words by which people look for help with a need, as they say them. A star stands for any ending. They count unmet need, and name what
 * else to search for when somebody was declined; they change no search result.
 */
const wordsOfNeeds: Readonly<Record<Exclude<Need, 'other'>, readonly string[]>> = {
  'social-connection': [
    ...['lonely', 'loneliness', 'alone', 'isolat*', 'befriend*', 'companion*', 'friend', 'friends'],
    ...['friendship', 'make friends', 'meet people', 'somebody to talk to', 'someone to talk to', 'company'],
    ...['nobody to talk to', 'no one to talk to'],
  ],
  stress: ['stress*', 'anxiety', 'anxious', 'worried', 'worry', 'overwhelmed', 'panic*', 'mindfulness'],
  bereavement: ['bereave*', 'grief', 'grieving', 'widow*', 'loss of'],
  'physical-activity': ['exercise', 'fitness', 'gym', 'swim*', 'yoga', 'walking group', 'get fit', 'pilates'],
  'arts-nature': [
    'art',
    'arts',
    'craft*',
    'choir',
    'singing',
    'gardening',
    'allotment*',
    'nature',
    'painting',
  ],
  volunteering: ['volunteer*'],
  'long-term-condition': [
    ...['diabet*', 'copd', 'arthritis', 'chronic', 'long covid', 'dementia', 'parkinsons', 'stroke'],
    ...['multiple sclerosis', 'fibromyalgia', 'long term condition'],
  ],
  'food-insecurity': ['food', 'foodbank*', 'hungry', 'hunger', 'pantry', 'cannot afford to eat'],
  'utility-insecurity': [
    ...[
      'heating',
      'energy bill*',
      'fuel',
      'electricity',
      'gas bill*',
      'prepayment',
      'cold home',
      'warm space*',
    ],
    ...['water bill*', 'boiler'],
  ],
  'financial-insecurity': ['money', 'poverty', 'skint', 'broke', 'budgeting', 'cost of living', 'hardship'],
  'benefits-debt': [
    ...[
      'debt*',
      'benefits',
      'universal credit',
      'pip',
      'bailiff*',
      'loan shark*',
      'arrears',
      'behind with',
      'behind on',
      'owe',
      'owes',
      'attendance allowance',
    ],
    ...['carers allowance', 'pension credit'],
  ],
  'employment-status': ['job', 'jobs', 'employment', 'unemploy*', 'cv', 'redundan*', 'find work'],
  legal: ['legal', 'solicitor*', 'lawyer*', 'law'],
  homelessness: ['homeless*', 'sleeping rough', 'rough sleep*', 'no home', 'sofa surfing', 'nowhere to live'],
  'housing-instability': ['evict*', 'housing', 'rent', 'tenancy', 'landlord', 'repossess*'],
  'inadequate-housing': [
    'damp',
    'mould',
    'mouldy',
    'overcrowd*',
    'disrepair',
    'home repair*',
    'home adaptation*',
  ],
  'transportation-insecurity': [
    'transport',
    'lift to',
    'bus pass',
    'community car',
    'getting about',
    'dial a ride',
  ],
  'educational-attainment': [
    'education',
    'college',
    'gcse*',
    'adult learning',
    'reading and writing',
    'maths',
  ],
  'digital-access': ['internet', 'wifi', 'broadband', 'laptop', 'tablet'],
  'digital-literacy': ['computer*', 'digital', 'online skills', 'smartphone'],
  'language-access': [
    'esol',
    'english class*',
    'english lesson*',
    'learn english',
    'interpret*',
    'translat*',
  ],
  'personal-health-literacy': ['understand my medicine*', 'health information', 'understand my condition'],
  'intimate-partner-violence': [
    'domestic abuse',
    'domestic violence',
    'abusive',
    'refuge',
    'controlling partner',
  ],
  'elder-abuse': ['elder abuse'],
  'veteran-status': ['veteran*', 'ex army', 'ex forces', 'armed forces', 'ex service*'],
  caring: ['carer', 'carers', 'caring for', 'looking after my', 'respite'],
  parenting: ['parent*', 'toddler*', 'new mum*', 'new dad*', 'baby group*', 'family support'],
};

/** The words to search by for a need; undefined for needs that tell of danger, which must not stand in an address beside a referral. */
export const searchWordsForNeeds: Readonly<Record<Need, string | undefined>> = {
  'social-connection': 'befriending',
  stress: 'stress',
  bereavement: 'bereavement',
  'physical-activity': 'exercise',
  'arts-nature': 'art or gardening',
  volunteering: 'volunteering',
  'long-term-condition': 'long-term condition',
  'food-insecurity': 'food',
  'utility-insecurity': 'heating',
  'financial-insecurity': 'money',
  'benefits-debt': 'debt or benefits',
  'employment-status': 'employment',
  legal: 'legal advice',
  homelessness: 'homeless',
  'housing-instability': 'eviction',
  'inadequate-housing': 'damp',
  'transportation-insecurity': 'transport',
  'educational-attainment': 'learning',
  'digital-access': 'internet',
  'digital-literacy': 'computer',
  'language-access': 'English',
  'personal-health-literacy': undefined,
  caring: 'carer',
  parenting: 'parents',
  'intimate-partner-violence': undefined,
  'elder-abuse': undefined,
  'veteran-status': 'veterans',
  other: undefined,
};

const isWord = (pattern: string, word: string | undefined) =>
  word !== undefined && (pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern);

const phrases = Object.entries(wordsOfNeeds).flatMap(([need, sayings]) =>
  sayings.map((saying) => ({ need: need as Need, words: saying.split(' ') })),
);

/** Needs are looked for in texts of up to this many words. A longer text is no search, and has words of anything. */
const maxWords = 20;

/** The needs that somebody names in a search, or in a sentence of a referral; empty if it has no word of a need. */
export function needsNamedIn(search: string): Need[] {
  const typed = typedWords(search);
  if (typed.length > maxWords) return [];
  const named = phrases.filter(({ words }) =>
    typed.some((_, at) => words.every((pattern, index) => isWord(pattern, typed[at + index]))),
  );
  return [...new Set(named.map(({ need }) => need))];
}

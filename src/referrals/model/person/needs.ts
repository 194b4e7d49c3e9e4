/**
 * What somebody may need help with, in the groups of the page. `sdohcc` is the category of the SDOH Clinical Care guide (HL7
 * Gravity), where it has one, so that other systems can map it.
 */
export const needs = {
  'social-connection': { title: 'Company and connection', group: 'Wellbeing', sdohcc: 'social-connection' },
  stress: { title: 'Stress', group: 'Wellbeing', sdohcc: 'stress' },
  bereavement: { title: 'Bereavement', group: 'Wellbeing' },
  'physical-activity': { title: 'Being active', group: 'Wellbeing' },
  'arts-nature': { title: 'Arts and nature', group: 'Wellbeing' },
  volunteering: { title: 'Volunteering', group: 'Wellbeing' },
  'long-term-condition': { title: 'Living with a long-term condition', group: 'Wellbeing' },
  'food-insecurity': { title: 'Not enough food', group: 'Money and work', sdohcc: 'food-insecurity' },
  'utility-insecurity': {
    title: 'Heating, power or water',
    group: 'Money and work',
    sdohcc: 'utility-insecurity',
  },
  'financial-insecurity': {
    title: 'Not enough money',
    group: 'Money and work',
    sdohcc: 'financial-insecurity',
  },
  'benefits-debt': { title: 'Benefits or debt', group: 'Money and work' },
  'employment-status': { title: 'Work', group: 'Money and work', sdohcc: 'employment-status' },
  legal: { title: 'Legal advice', group: 'Money and work' },
  homelessness: { title: 'No home', group: 'Home and travel', sdohcc: 'homelessness' },
  'housing-instability': {
    title: 'May lose their home',
    group: 'Home and travel',
    sdohcc: 'housing-instability',
  },
  'inadequate-housing': {
    title: 'A home that is damp, unsafe or not suitable',
    group: 'Home and travel',
    sdohcc: 'inadequate-housing',
  },
  'transportation-insecurity': {
    title: 'Getting about',
    group: 'Home and travel',
    sdohcc: 'transportation-insecurity',
  },
  'educational-attainment': { title: 'Education', group: 'Skills', sdohcc: 'educational-attainment' },
  'digital-access': { title: 'A device or the internet', group: 'Skills', sdohcc: 'digital-access' },
  'digital-literacy': {
    title: 'Using a device or the internet',
    group: 'Skills',
    sdohcc: 'digital-literacy',
  },
  'language-access': { title: 'English or interpreting', group: 'Skills', sdohcc: 'language-access' },
  'personal-health-literacy': {
    title: 'Understanding health information',
    group: 'Skills',
    sdohcc: 'personal-health-literacy',
  },
  caring: { title: 'Caring for somebody', group: 'Family and safety' },
  parenting: { title: 'Parenting', group: 'Family and safety' },
  'intimate-partner-violence': {
    title: 'Abuse by a partner',
    group: 'Family and safety',
    sdohcc: 'intimate-partner-violence',
  },
  'elder-abuse': { title: 'Abuse of an older person', group: 'Family and safety', sdohcc: 'elder-abuse' },
  'veteran-status': {
    title: 'Served in the armed forces',
    group: 'Family and safety',
    sdohcc: 'veteran-status',
  },
  other: { title: 'Something else', group: 'Family and safety' },
} as const satisfies Record<string, { title: string; group: string; sdohcc?: string }>;

export type Need = keyof typeof needs;
export const needCodes = Object.keys(needs) as Need[];

export function sdohCategory(code: Need): string | undefined {
  const need = needs[code];
  return 'sdohcc' in need ? need.sdohcc : undefined;
}

/** Needs that put the person in danger where somebody at home reads of them. */
export const dangerousNeeds: readonly Need[] = ['intimate-partner-violence', 'elder-abuse'];

export function needsInWords(codes: readonly Need[] | undefined): string[] {
  return (codes ?? []).map((code) => needs[code].title);
}

/** The tick boxes of the pages, group by group. */
export const needGroups = [...new Set(needCodes.map((code) => needs[code].group))].map((legend) => ({
  legend,
  items: needCodes
    .filter((code) => needs[code].group === legend)
    .map((value) => ({ value, text: needs[value].title })),
}));

export const goalResults = ['achieved', 'partly', 'not'] as const;

/** What the person wants to change, and whether they have; without a result, nobody has said yet. */
export type Goal = { text: string; need?: Need; result?: (typeof goalResults)[number] };

export const goalResultWords: Readonly<Record<(typeof goalResults)[number], string>> = {
  achieved: 'Met',
  partly: 'Partly met',
  not: 'Not met',
};

export const goalResultItems = goalResults.map((value) => ({ value, text: goalResultWords[value] }));

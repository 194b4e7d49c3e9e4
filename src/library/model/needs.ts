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

// Where a referral comes from, how it was taken, and whether it is the first of an episode of care.

export const sources = {
  'general-practice': 'General practice',
  'community-health': 'Community health service',
  hospital: 'Hospital',
  'mental-health': 'Mental health service',
  pharmacy: 'Pharmacy',
  'social-care': 'Social care',
  housing: 'Housing service',
  employment: 'Employment service',
  education: 'School or college',
  'emergency-service': 'Police, fire or ambulance',
  'voluntary-sector': 'Charity or community group',
  'family-or-carer': 'Family or carer',
  self: 'The person themselves',
  other: 'Somebody else',
} as const satisfies Record<string, string>;

export const methods = {
  'face-to-face': 'Face to face',
  telephone: 'By telephone',
  video: 'By video',
  'email-or-letter': 'By email or letter',
  online: 'By an online form',
  proactive: 'The person was found by a search of records',
  other: 'In another way',
} as const satisfies Record<string, string>;

export const episodes = {
  first: 'The first referral of an episode',
  continuing: 'Continues an episode',
} as const satisfies Record<string, string>;

export type Source = keyof typeof sources;
export type Method = keyof typeof methods;
export type Episode = keyof typeof episodes;

const itemsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, text]) => ({ value, text }));

export const sourceItems = itemsOf(sources);
export const methodItems = itemsOf(methods);

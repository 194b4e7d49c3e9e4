/** What a service says of its room for new people. */
export const capacities = ['capacity', 'waitlist', 'no-capacity'] as const;
export type Capacity = (typeof capacities)[number];

/** What each is called on pages, and where search results are counted by it. */
export const capacityNames = {
  capacity: 'Has room',
  waitlist: 'Waiting list',
  'no-capacity': 'No room',
} as const;

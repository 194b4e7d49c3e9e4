import { defineProblem } from '../../platform/problem/index.ts';

export const serviceExists = defineProblem({
  type: 'service-exists',
  status: 409,
  title: 'The library has a service with this id already',
  detail: 'Change that one, or choose another id.',
});
export const serviceHasReferrals = defineProblem({
  type: 'service-has-referrals',
  status: 409,
  title: 'Referrals were made to this service, so it stays',
  detail: 'Set its status to inactive or defunct instead: it is then no longer listed.',
});

import { justDone } from '../../../platform/html/index.ts';

/** What a service's page says after somebody who keeps its entry has changed it. */
export const entryDone = justDone({
  saved: 'The entry was saved.',
  room: 'What you said about room was saved.',
  'room-only':
    'What you said about room was saved, without the waiting time: that goes with a waiting list only.',
  checked: 'The entry was marked as checked.',
  settings: 'The referral settings were saved.',
});

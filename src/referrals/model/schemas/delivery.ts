import { Type } from 'typebox';
import { openEnum, orNull } from '../../../platform/http/index.ts';
import {
  attemptOutcomes,
  deliveryLegs,
  deliveryPurposes,
  deliveryStatuses,
  refusalCauses,
} from '../deliveries.ts';

export const deliveryLegSchema = Type.Enum([...deliveryLegs], {
  title: 'DeliveryLeg',
  description: 'Who is told.',
});

export const deliveryPurposeSchema = openEnum(deliveryPurposes, {
  title: 'DeliveryPurpose',
  description:
    'What the message is about: that the referral was made, how it ended, or that a practice which was named by mistake removes its letter.',
});

export const deliveryStatusSchema = openEnum(deliveryStatuses, {
  title: 'DeliveryStatus',
  description:
    '`queued`: waits to be sent, for the first time or again. `sending`: is being sent. `sent`: handed over. `received`: the receiver can see it. `acknowledged`: the receiver has answered. `uncertain`: nobody can tell yet whether it arrived. `failed`: it did not arrive, and is not tried again by itself. `expired`: it was not taken in time. `suppressed`: it is not sent, because it was not to be, or because something later took its place.',
});

export const refusedBecauseSchema = orNull(
  openEnum(refusalCauses, {
    title: 'RefusalCause',
    description:
      '`nhs-number-not-recognised`: the NHS message exchange did not recognise the NHS number with this name and birth date. Check them with the person. The message may have gone another way since, as `channel` and `status` say; null once the receiver has it. `not-their-patient`: the practice has it, and answered that the person is not its patient. It is sent to that practice no other way: ask the person where they are registered, and correct the practice.',
  }),
);

export const attemptOutcomeSchema = Type.Enum([...attemptOutcomes], {
  title: 'AttemptOutcome',
  description:
    '`sent`: handed over. `received`: the receiver can see it. `acknowledged`: they confirmed it. `will-retry`: did not work, and is tried again by itself. `uncertain`: went out, but nobody can tell whether it arrived. `failed`: cannot work this way. `expired`: was not taken in time. `interrupted`: the site stopped in the middle, and tries again with the same message.',
});

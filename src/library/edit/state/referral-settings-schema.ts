import { type Static, Type } from 'typebox';
import { maxReasonLength, reasonRule } from '../../../platform/reason.ts';
import { deliveryAddressesSchema } from '../../channels/addresses.ts';
import { yearsKept } from '../../channels/settings-store.ts';
import { channelsSchema } from '../../model/channels.ts';

const textOrNull = (maxLength: number, description: string, format = {}) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength, ...format }), Type.Null()], { description }),
  );

export const referralSettingsSchema = Type.Object(
  {
    accepts: Type.Boolean({ description: 'Whether referrals can be made to the service on this site.' }),
    channels: channelsSchema,
    sensitive: Type.Optional(
      Type.Boolean({
        description:
          'Somebody may be hurt for using the service, or ashamed that others know: domestic or sexual abuse, sexual health, drugs and alcohol, gambling, refuges, gender, asylum, HIV. Reports do not name it. Left out, it stays as it is. Only an operator sets it to false for a sensitive service, and gives a `sensitive_reason`; referrals from before then stay as hidden as they were.',
      }),
    ),
    sensitive_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why the service is not sensitive any more. ${reasonRule}. All operators are emailed it. No answer has it.`,
      }),
    ),
    location_confidential: Type.Optional(
      Type.Boolean({
        description:
          'Its location is confidential. This site then keeps none of its places: no answer, feed, map or history has them. The places of its organisation are left out too. Mark every other service that is at the same place. When it becomes false, the next import or edit brings them back. Left out, it stays as it is. Only an operator sets it to false for such a service, and gives a `location_reason`; what the service’s staff entered for referrals from before stays hidden.',
      }),
    ),
    location_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why its location is not confidential any more. ${reasonRule}. All operators are emailed it. No answer has it.`,
      }),
    ),
    record_kind: Type.Optional(
      Type.Enum(['general', 'mental_health'], {
        title: 'RecordKind',
        description: `Records of mental health care are kept for ${yearsKept.mental_health} years after the last entry, others for ${yearsKept.general}. Left out, it stays as it is. Only an operator sets it from \`mental_health\` back to \`general\`, and gives a \`retention_reason\`.`,
      }),
    ),
    retention_years: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Null()], {
        description:
          'A period of the service’s own, in years after the last entry. Null: the period of its kind. On a site that erases by itself it counts only where it is longer than the site’s. Left out, it stays as it is. Only an operator makes it shorter than that of its kind, and gives a `retention_reason`.',
      }),
    ),
    retention_reason: Type.Optional(
      Type.String({
        maxLength: maxReasonLength,
        description: `Why records are kept for less time than before. ${reasonRule}. The audit keeps it. No answer has it.`,
      }),
    ),
    answer_by_link: Type.Optional(
      Type.Boolean({
        description:
          'Its emails about referrals have a link by which somebody confirms, accepts or declines without an account. `code_email` or `code_telephone` lets them do more. Never for a sensitive service, nor where the site has switched it off. False also ends the links that were sent. Left out, it stays as it is.',
      }),
    ),
    code_email: Type.Optional(
      Type.Union([Type.String({ maxLength: 254, format: 'email' }), Type.Null()], {
        description:
          'A second mailbox, which does not get the emails with the link to answer. An address that differs only after a plus sign is the same mailbox. A code that is sent to it opens a referral to people without an account: its details, and the steps after the answer. Like each address it is used once it is confirmed. Without one they can only confirm, accept, decline, or ask to be rung. Left out, it stays as it is; null removes it.',
      }),
    ),
    code_telephone: Type.Optional(
      Type.Union([Type.String({ maxLength: 50 }), Type.Null()], {
        description:
          'A UK mobile number that gets the codes by text, instead of `code_email` or beside it. Confirmed by a link in a text.',
      }),
    ),
    self_referral: Type.Optional(
      Type.Boolean({
        description:
          'People may refer themselves on its page in the public directory, where the site has switched that on. Staff ring them before anything is sent. Always false for a sensitive service. Left out, it stays as it is.',
      }),
    ),
    addresses: Type.Optional(deliveryAddressesSchema),
    answered_by: Type.Optional(
      Type.Object(
        {
          name: textOrNull(
            200,
            'Who answers: a person, a desk or a team. Null is the organisation that runs the service.',
          ),
          email: textOrNull(254, 'Where they read about new referrals.', { format: 'email' }),
          telephone: textOrNull(50, 'Where somebody can ask after a referral.'),
        },
        {
          additionalProperties: false,
          description: 'Who answers the service’s referrals. What you leave out of it is removed.',
        },
      ),
    ),
  },
  { title: 'ReferralSettingsChange', additionalProperties: false },
);

export type ReferralSettingsInput = Static<typeof referralSettingsSchema>;

import { type DataSharingDetails, dsptStatuses, sharingRoles } from '../../accounts/index.ts';
import { calendarDay } from '../../platform/clock/index.ts';
import { joinDate, readFields } from '../../platform/html/index.ts';
import { canonicalEmail, isMailAddress } from '../../platform/mail/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';

const dates = ['dspt_until', 'agreement_from', 'agreement_until'] as const;
type DateName = (typeof dates)[number];
type DatePart = `${DateName}_${'day' | 'month' | 'year'}`;

const dateParts = dates.flatMap((name): DatePart[] => [`${name}_day`, `${name}_month`, `${name}_year`]);
export const dataSharingFields = [
  'sharing_role',
  'ico_number',
  'dspt_status',
  'agreement',
  'mailbox',
  ...dateParts,
] as const;
export type DataSharingForm = Record<(typeof dataSharingFields)[number], string>;

/** Empty, because an error message here is a whole sentence and does not begin with a label. */
export const dataSharingLabels = {
  sharing_role: '',
  ico_number: '',
  dspt_status: '',
  dspt_until_day: '',
  agreement: '',
  agreement_from_day: '',
  agreement_until_day: '',
  mailbox: '',
};

/** The form with what is known of an organisation. */
export function formOf(details: DataSharingDetails): DataSharingForm {
  const parts = (name: DateName, date: string | null) => {
    const [year = '', month = '', day = ''] = date?.split('-').map((part) => part.replace(/^0/, '')) ?? [];
    return { [`${name}_day`]: day, [`${name}_month`]: month, [`${name}_year`]: year };
  };
  return {
    sharing_role: details.sharingRole ?? '',
    ico_number: details.icoNumber ?? '',
    dspt_status: details.dsptStatus ?? '',
    agreement: details.agreement ?? '',
    mailbox: details.mailbox ?? '',
    ...parts('dspt_until', details.dsptUntil),
    ...parts('agreement_from', details.agreementFrom),
    ...parts('agreement_until', details.agreementUntil),
  } as DataSharingForm;
}

/** The shape of the number in the register of fee payers, such as Z1234567 or ZA123456. */
const icoNumberShape = /^Z[A-Z\d]\d{6}$/;
const maxAgreementLength = 200;

/** Reads the form about an organisation's data sharing; every field may be empty. @throws Problem `unprocessable`. */
export function readDataSharing(body: unknown): DataSharingDetails {
  const form = readFields(body, dataSharingFields);
  const errors: FieldError[] = [];
  const readDate = (name: DateName): string | null => {
    const parts = [form[`${name}_year`], form[`${name}_month`], form[`${name}_day`]] as const;
    const date = joinDate(parts);
    if (date !== undefined && calendarDay(date)?.date !== date)
      errors.push({ pointer: `/${name}_day`, message: 'Enter a real date, like 30 6 2027' });
    return date ?? null;
  };
  const icoNumber = form.ico_number.replaceAll(' ', '').toUpperCase();
  if (icoNumber !== '' && !icoNumberShape.test(icoNumber))
    errors.push({ pointer: '/ico_number', message: 'Enter an ICO number like ZA123456' });
  if ([...form.agreement].length > maxAgreementLength)
    errors.push({ pointer: '/agreement', message: `Use ${maxAgreementLength} characters or fewer` });
  const mailbox = canonicalEmail(form.mailbox);
  // A domain is checked as the end of an address.
  if (mailbox !== '' && !isMailAddress(mailbox.startsWith('@') ? `anybody${mailbox}` : mailbox))
    errors.push({ pointer: '/mailbox', message: 'Enter one email address, or @ and a domain' });
  const details: DataSharingDetails = {
    sharingRole: sharingRoles.find((each) => each === form.sharing_role) ?? null,
    icoNumber: icoNumber || null,
    dsptStatus: dsptStatuses.find((each) => each === form.dspt_status) ?? null,
    dsptUntil: readDate('dspt_until'),
    agreement: form.agreement || null,
    agreementFrom: readDate('agreement_from'),
    agreementUntil: readDate('agreement_until'),
    mailbox: mailbox || null,
  };
  const { agreementFrom, agreementUntil } = details;
  if (errors.length === 0 && agreementFrom && agreementUntil && agreementUntil < agreementFrom)
    errors.push({ pointer: '/agreement_until_day', message: 'The agreement must end after it begins' });
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return details;
}

/** What an organisation may do with the patients’ data that it gets: the roles of UK GDPR, articles 24, 26 and 28. */
export const sharingRoles = ['controller', 'joint-controller', 'processor'] as const;

/** What the Data Security and Protection Toolkit says of an organisation. */
export const dsptStatuses = ['exceeded', 'met', 'approaching', 'not-met', 'not-published'] as const;

/** What an operator has recorded about how an organisation shares data. Each is null until somebody has recorded it. */
export type DataSharingDetails = {
  sharingRole: (typeof sharingRoles)[number] | null;
  /** Its number in the register of the Information Commissioner, such as ZA123456. */
  icoNumber: string | null;
  dsptStatus: (typeof dsptStatuses)[number] | null;
  /** Days such as 2027-06-30. */
  dsptUntil: string | null;
  /** The name or reference of the data sharing agreement. */
  agreement: string | null;
  agreementFrom: string | null;
  agreementUntil: string | null;
  /**
   * Where its copies for days without the site may be sent, besides the addresses of its people: one address, or `@` and a domain that
   * belongs to it alone.
   */
  mailbox: string | null;
};

/** How many days before an agreement or a toolkit status ends people are warned. */
export const agreementWarnDays = 30;

export const sharingRoleWords: Readonly<Record<(typeof sharingRoles)[number], string>> = {
  controller: 'Controller',
  'joint-controller': 'Joint controller',
  processor: 'Processor',
};

export const dsptStatusWords: Readonly<Record<(typeof dsptStatuses)[number], string>> = {
  exceeded: 'Standards exceeded',
  met: 'Standards met',
  approaching: 'Approaching standards',
  'not-met': 'Standards not met',
  'not-published': 'Not published',
};

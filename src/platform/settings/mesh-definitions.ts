import { define } from './definition.ts';
import { oneOf, path, secureAddress } from './parsers.ts';

/** The NHS message exchange: docs/mesh.md says how to come by these. */
export const meshDefinitions = {
  meshUrl: define<string | undefined>({
    variable: 'ONWARD_MESH_URL',
    parse: secureAddress('a message exchange'),
    defaultValue: undefined,
    defaultInWords: 'unset: nothing is sent by the NHS message exchange (MESH)',
    meaning: 'The address of the NHS message exchange (MESH), for sending and receiving.',
    example: 'https://mesh-sync.spineservices.nhs.uk',
  }),
  meshMailbox: define<string | undefined>({
    variable: 'ONWARD_MESH_MAILBOX',
    parse: capitals(4, 20),
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_MESH_URL`)',
    meaning: 'The site’s mailbox there.',
    example: 'X26ABC1',
  }),
  meshOdsCode: define<string | undefined>({
    variable: 'ONWARD_MESH_ODS_CODE',
    parse: capitals(3, 10),
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_MESH_URL`)',
    meaning: 'The ODS code of the organisation that owns the mailbox. Messages name it as their sender.',
    example: 'X26',
  }),
  meshPasswordFile: secretFile('ONWARD_MESH_PASSWORD_FILE', 'the password of the mailbox', 'mesh.password'),
  meshSharedKeyFile: secretFile(
    'ONWARD_MESH_SHARED_KEY_FILE',
    'the shared key of the exchange’s environment',
    'mesh.key',
  ),
  meshCertFile: tlsFile(
    'ONWARD_MESH_CERT_FILE',
    'The certificate by which the exchange recognises the site',
    'cert',
  ),
  meshKeyFile: tlsFile('ONWARD_MESH_KEY_FILE', 'The private key of that certificate', 'key'),
  meshCaFile: tlsFile(
    'ONWARD_MESH_CA_FILE',
    'The certificates by which the site recognises the exchange',
    'ca',
  ),
  meshWorkflow: define<string | undefined>({
    variable: 'ONWARD_MESH_WORKFLOW',
    parse: (raw) => {
      if (!/^[A-Za-z0-9_-]{1,100}$/.test(raw))
        throw new Error('must be a workflow id: letters, digits, _ and -');
      return raw;
    },
    defaultValue: undefined,
    defaultInWords: 'unset: nothing is sent by the profile `local-workflow`',
    meaning: 'The workflow id that sender and receivers agreed on for the profile `local-workflow`.',
    example: 'ONWARD_REFERRAL',
  }),
  meshPracticeProfile: define<'gpconnect-send-document' | 'local-workflow'>({
    variable: 'ONWARD_MESH_PRACTICE_PROFILE',
    parse: oneOf('gpconnect-send-document', 'local-workflow'),
    defaultValue: 'gpconnect-send-document',
    meaning:
      'In which form GP practices get letters by MESH. Services always get them as `local-workflow`: see docs/mesh.md.',
    example: 'local-workflow',
  }),
};

function capitals(min: number, max: number): (raw: string) => string {
  return (raw) => {
    if (!/^[A-Z0-9]+$/.test(raw) || raw.length < min || raw.length > max)
      throw new Error(`must be ${min} to ${max} capital letters and digits`);
    return raw;
  };
}

function secretFile(variable: string, holds: string, name: string) {
  return define<string | undefined>({
    variable,
    parse: path,
    defaultValue: undefined,
    defaultInWords: 'unset (needed with `ONWARD_MESH_URL`)',
    meaning: `A file that holds ${holds}.`,
    example: `/etc/onward/${name}`,
    isSecret: true,
  });
}

function tlsFile(variable: string, holds: string, name: string) {
  return define<string | undefined>({
    variable,
    parse: path,
    defaultValue: undefined,
    defaultInWords: 'unset',
    meaning: `${holds}, as a PEM file.`,
    example: `/etc/onward/mesh-${name}.pem`,
    isSecret: true,
  });
}

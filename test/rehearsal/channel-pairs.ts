import { randomUUID } from 'node:crypto';

export const weirHouse = { id: randomUUID(), name: 'Weir House', description: 'Things to do, together.' };
export const serviceEmail = 'choir@weirhouse.example.org';
export const practiceEmail = 'letters@tolbooth.example.org';

/**
 * Each channel to a service with each channel to a practice. In the last, the service's own system cannot be reached.
 */
export const channelPairs = [
  { service: 'inbox', practice: 'Z99001' },
  { service: 'email', practice: 'Z99002' },
  { service: 'webhook', practice: 'Z99003' },
  { service: 'document', practice: 'Z99003' },
  { service: 'mesh', practice: 'Z99003' },
  { service: 'inside', practice: 'Z99001' },
].map((pair) => ({ ...pair, id: randomUUID(), name: `Weir House group, told by ${pair.service}` }));

/** The library's file: one service for each pair of channels. */
export const libraryFile = channelPairs
  .map(({ id, name }) => {
    const service = { id, name, description: 'A group for everybody.', status: 'active' };
    return JSON.stringify({ ...service, organization_id: weirHouse.id, organization: weirHouse });
  })
  .join('\n');

export const practicesFile = [
  'ods_code,name,address,city,postcode,latitude,longitude,phone',
  'Z99001,Infirmary Lane Surgery,1 High Street,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960001',
  'Z99002,Tolbooth Medical Practice,2 High Street,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960002',
  'Z99003,Spindle Hill Surgery,3 High Street,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960003',
].join('\n');

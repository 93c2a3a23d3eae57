import type { Attack } from '../attack.ts';
import { readers } from './readers.ts';
import { senders } from './senders.ts';
import { strangers } from './strangers.ts';
import { tenants } from './tenants.ts';

export const attacks: readonly Attack[] = [...strangers, ...readers, ...senders, ...tenants];

export const titleOf = ({ who, name }: Attack) => `${who}: ${name}`;

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchConfig } from './config.ts';

const BUILT = join(__dirname, '../../services/gateway/dist/main.js');

/** Names what the bench needs and this machine lacks, and how to provide it; undefined when nothing is missing. */
export type Lacks = (config: BenchConfig) => string | undefined;

export const lacksKafka: Lacks = ({ kafkaBrokers }) => (kafkaBrokers ? undefined : 'a broker: set KAFKA_BROKERS');
export const lacksRedis: Lacks = ({ redisUrl }) => (redisUrl ? undefined : 'Redis: set REDIS_URL');
export const lacksMailServer: Lacks = ({ imapAddress, mailControl }) =>
  imapAddress && mailControl ? undefined : 'a mail server: set IMAP_ADDR and MAIL_CONTROL';
export const lacksBuild: Lacks = () => (existsSync(BUILT) ? undefined : 'the build: run "npm run build"');

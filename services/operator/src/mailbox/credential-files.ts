import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { OAuthGrant } from '@postroom/proto/postroom/v1/workspace';
import { z } from 'zod';
import { CommandRefusal } from '../command/command-deps.ts';
import { PRESETS, providers, type Preset } from '@postroom/mail-server/presets';

const text = z.string().min(1);
const grantFile = z.object({
  preset: z.enum(PRESETS).optional(),
  tokenEndpoint: text.optional(),
  clientId: text,
  clientSecret: text.optional(),
  refreshToken: text,
  scope: text.optional(),
});

export function readPassword(file: string): string {
  return read('--password-file', file).replace(/\r?\n$/, '');
}

export function readAuthority(file: string): string {
  return read('--ca', file);
}

/** JSON with tokenEndpoint or preset, clientId, clientSecret, refreshToken and scope. Its content is never shown. */
export function readGrant(file: string, given: Preset | undefined): OAuthGrant {
  const { preset = given, tokenEndpoint, scope, ...grant } = parsed(file);
  const known = preset && providers[preset];
  const endpoint = tokenEndpoint ?? known?.tokenEndpoint;
  if (!endpoint)
    throw new CommandRefusal(`--oauth-file ${file} needs tokenEndpoint, or a preset: ${PRESETS.join(', ')}`);
  return { ...grant, tokenEndpoint: endpoint, scope: scope ?? known?.scope };
}

/** Some providers accept a refresh token once, so the token of the answer must be kept. */
export function keepRefreshToken(file: string, refreshToken: string): void {
  const kept = { ...(JSON.parse(read('--oauth-file', file)) as object), refreshToken };
  const beside = `${file}.new`;
  writeFileSync(beside, `${JSON.stringify(kept, null, 2)}\n`, { mode: statSync(file).mode & 0o777 });
  renameSync(beside, file);
}

function parsed(file: string): z.infer<typeof grantFile> {
  const content = read('--oauth-file', file);
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    // The error of the parser would quote a part of the secret.
    throw new CommandRefusal(`--oauth-file ${file} is not JSON`);
  }
  const result = grantFile.safeParse(json);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path }) => path.join('.') || 'the whole');
  throw new CommandRefusal(`--oauth-file ${file} is missing or wrong in: ${[...new Set(fields)].join(', ')}`);
}

function read(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandRefusal(`${flag} ${file} cannot be read: ${(error as Error).message}`);
  }
}

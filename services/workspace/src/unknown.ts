import { ApiError } from '@postroom/errors/api-error';

// These calls are made by operators and by the gateway, so a message may name the id and the command that helps.

export function unknownWorkspace(workspaceId: string): ApiError {
  const message = `There is no workspace "${workspaceId}"; "postroom workspace list" shows the ones there are.`;
  return new ApiError('NOT_FOUND', { message });
}

export function unknownKey(keyId: string): ApiError {
  const message = `There is no key "${keyId}" in this workspace; "postroom key list" shows the ones there are.`;
  return new ApiError('NOT_FOUND', { message });
}

export function unknownMailbox(mailboxId: string): ApiError {
  const message = `There is no mailbox "${mailboxId}"; "postroom mailbox list" shows the ones there are.`;
  return new ApiError('MAILBOX_NOT_FOUND', { message });
}

import { call } from '../api/call.ts';
import { forgetAnswers } from '../api/session.ts';

export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
  await forgetAnswers();
}

/** The least work of a password hash that is allowed, because tests sign in often. */
export const QUICK_PASSWORDS = { PASSWORD_COST: 2 ** 14 };

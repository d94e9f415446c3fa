/** The application of the `gatehouse` command, the same on every installation. Migration 160 adds it. */
export const commandApplicationId = 'app_00000000000gatehcmd0'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

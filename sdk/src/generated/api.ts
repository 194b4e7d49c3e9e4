// Made from openapi.json by `npm run generate`. Do not change it by hand.

export interface paths {
    "/api/token/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check an access token
         * @description Says who the access token stands for, on which site, and until when it works. Call it first: if this answers 200, your token and your base address are right.
         */
        get: operations["getTokenStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a new access token
         * @description Exchanges the refresh token for an access token that works for 180 minutes. Send no Authorization header. The refresh token stays the same; keep it on your server, like a password. If an answer is lost, ask again.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find services
         * @description Lists the services that are active, a page at a time: by name, best matches first where you search, or nearest first where you give a place. Filters combine: a service must fit them all. A service that runs at many places is listed once, with the distance of the nearest. Services that are inactive, defunct or temporarily closed are not listed; ask for them by id. A page past the end is an empty page. Parameters that are not named here are ignored. Scope: `library:read`.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Add a service
         * @description Adds a service to the library. Without an `id` the site makes one, and a repeated call adds a second service. To prevent that, send a UUID of your own as the `id`: a repeated call is then refused as `service-exists`. Give the `organization_id` of an organisation in the library, or the whole organisation; providers add services to their own. Fields that HSDS does not name are kept. `last_modified` and `metadata` are ignored: the site itself records when a service was changed, and by whom. A taxonomy term that the library has already stays as it is; you may give only its `taxonomy_term_id`. Providers can use only terms of the library. Scope: `library:write`.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find services, all of them
         * @description All services that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library. Scope: `library:read`.
         */
        get: operations["exportServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find services, with the search in the body
         * @description The same as GET /api/library/services, with its parameters as a JSON body. Send numbers and booleans as JSON; a parameter that can be repeated may be one value or a list. Addresses end up in logs and histories, and bodies do not: use this if your search says something about a patient, such as their postcode, age or need. A field that is not named here is refused. Scope: `library:read`.
         */
        post: operations["searchServices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/service_at_locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find services at their locations
         * @description Lists every location of every active service, a page at a time: for maps, and for clients that ask where something can be had. The filters are those of services, but places, days and times are those of each location; the order is that of services too, so that the locations of one service stand together unless you sort by distance. A service that has no location is not here. Scope: `library:read`.
         */
        get: operations["listServicesAtLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/service_at_locations.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find services at their locations, all of them
         * @description All services at locations that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library. Scope: `library:read`.
         */
        get: operations["exportServicesAtLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find organisations
         * @description Lists the organisations that the library knows, a page at a time: by name, or best matches first where you search. Each has only its single-value fields, unless you ask for more. A page past the end is an empty page. Parameters that are not named here are ignored. Scope: `library:read`.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/organizations.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find organisations, all of them
         * @description All organisations that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library. Scope: `library:read`.
         */
        get: operations["exportOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the taxonomies
         * @description Lists the taxonomies whose terms describe the services, a page at a time, by name: kinds of service, needs, whom a service is for. Parameters that are not named here are ignored. Scope: `library:read`.
         */
        get: operations["listTaxonomies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomies.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the taxonomies, all of them
         * @description All taxonomies that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library. Scope: `library:read`.
         */
        get: operations["exportTaxonomies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomy_terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms of taxonomies
         * @description Lists the terms that describe the services, a page at a time, by name. Filters combine: a term must fit them all. The `id` of a term is what a list of services takes as `taxonomy_term_id`. Parameters that are not named here are ignored. Scope: `library:read`.
         */
        get: operations["listTaxonomyTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomy_terms.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms of taxonomies, all of them
         * @description All terms that fit, in the order of their ids, as newline-delimited JSON: one a line. For keeping a copy of the library. Scope: `library:read`.
         */
        get: operations["exportTaxonomyTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get to know the library
         * @description Says which version of the Human Services Data Specification (HSDS) the library speaks: Open Referral UK 3.0. The address of this answer is the base that Open Referral clients, validators and aggregators are pointed at. Scope: `library:read`.
         */
        get: operations["getLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service
         * @description One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, when the entry was last checked, and in `metadata` its latest 100 changes: which field, when and by whom. Only editors of the service can read the old and new values, in its history; so `previous_value` and `replacement_value` are empty here, except in changes that the source itself reported. Lists do not have these changes. Scope: `library:read`.
         */
        get: operations["getService"];
        /**
         * Change a service
         * @description Replaces the service with this id: read it, change what you want to change, and send it whole. Fields that HSDS does not name are kept. `last_modified` and `metadata` are ignored: the site itself records when a service was changed, and by whom. A taxonomy term that the library has already stays as it is; you may give only its `taxonomy_term_id`. Providers can use only terms of the library. Scope: `library:write`.
         */
        put: operations["replaceService"];
        post?: never;
        /**
         * Delete a service
         * @description Deletes a service from the library for good. A service that has had referrals cannot be deleted: set its `status` to `inactive` or `defunct`. The next import adds a deleted service again if the feed or file still has it: set its `status` instead. Scope: `library:write`.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/service_at_locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service at a location
         * @description One location of a service in full, with the service, whatever its status. The name and the status of the service stand beside the rest too, since the published HSDS API asks for them here. Scope: `library:read`.
         */
        get: operations["getServiceAtLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a taxonomy
         * @description One taxonomy: its name, and what its terms are about. `/api/library/taxonomy_terms?taxonomy_id=` has them. Scope: `library:read`.
         */
        get: operations["getTaxonomy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/taxonomy_terms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a term
         * @description One term of a taxonomy: what it is called and what it means, its taxonomy, and what it is below. Scope: `library:read`.
         */
        get: operations["getTaxonomyTerm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/organizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organisation
         * @description One organisation in full: what it is, how to get in touch, and its active services, in short or in full. Scope: `library:read`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}/capacity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a service’s availability
         * @description Whether the service can take more people now, and how long they wait. The site notes when that was said and by whom, so saying the same again keeps it fresh. Scope: `library:write`.
         */
        put: operations["setServiceCapacity"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}/checked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an entry is right
         * @description Somebody looked at the service’s entry today and found it right: sets `assured_date` to today, and `assurer_email` to the address of the organisation, for a provider, or else of the account. Scope: `library:write`.
         */
        post: operations["markServiceChecked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}/referral_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how referrals reach a service
         * @description Whether the service takes referrals on this site, by which channels they reach it, and who answers them. For operators, and providers of its organisation. Scope: `channels`.
         */
        get: operations["getServiceReferralSettings"];
        /**
         * Say how referrals reach a service
         * @description Whether the service takes referrals on this site, by which channels they reach it, and who answers them; what you leave out of `answered_by` is removed. It holds for referrals that are made from now on, and for messages that are still to be sent. A new address is used once it is confirmed by an emailed link; the old one is used until then. The people at the old address, the providers of the organisation and the operators are told of each change. Scope: `channels`.
         */
        put: operations["setServiceReferralSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}/referral_settings/webhook_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the secret of a service’s own system
         * @description Makes a new secret, which replaces the one before. Messages to the service’s own system (the channel `webhook`) are signed with it by the Standard Webhooks rules. It is shown here and never again. The address must have been set. Scope: `channels`.
         */
        post: operations["makeServiceWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/services/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who changed what of a service
         * @description Every change of a service, one field of one change an entry, the newest first. For operators, who can read it of deleted services too, and for providers of its organisation. Scope: `library:read`.
         */
        get: operations["listServiceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/postcodes/{postcode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find where a postcode is
         * @description The middle of a UK postcode, for finding what is near. Where the site does not know the postcode, it answers with the middle of the sector or the district that it lies in, and `precision` says so. Scope: `library:read`.
         */
        get: operations["getPostcode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/practices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find GP practices
         * @description The GP practices that this site knows, best matches first: the one with the code, those whose name begins with what you search for, those with the words in their name, then in their address. Without `search`, all of them by name. Scope: `library:read`.
         */
        get: operations["listPractices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/practices/{ods_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a GP practice
         * @description One GP practice by its code of the Organisation Data Service (ODS). Scope: `library:read`.
         */
        get: operations["getPractice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/practices/{ods_code}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say how a GP practice is told
         * @description Sets the channels by which a practice is told of its patients’ referrals, in the order in which they are tried. A new address is used once it is confirmed by an emailed link; the people at the old address and the operators are told. Messages that are still to be sent use the new channels too. Imports of practices do not change them. For operators. Scope: `channels`.
         */
        put: operations["setPracticeChannels"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organisation’s lists of services
         * @description The lists that the accounts of your organisation keep together, such as for a clinic or a common need; the oldest first. Scope: `library:read`.
         */
        get: operations["listServiceLists"];
        put?: never;
        /**
         * Create a list of services
         * @description Begins an empty list for your organisation, which may have 100. Scope: `library:write`.
         */
        post: operations["createServiceList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a list of services
         * @description What a list of your organisation is called, and how many services it has. Scope: `library:read`.
         */
        get: operations["getServiceList"];
        put?: never;
        post?: never;
        /**
         * Delete a list of services
         * @description Deletes a list of your organisation for good. Its services stay in the library. Scope: `library:write`.
         */
        delete: operations["deleteServiceList"];
        options?: never;
        head?: never;
        /**
         * Rename a list of services
         * @description Gives a list of your organisation another name, and leaves its services as they are. Scope: `library:write`.
         */
        patch: operations["renameServiceList"];
        trace?: never;
    };
    "/api/library/lists/{id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the services of a list
         * @description The services of a list, in the order in which they were saved, also those that are not running at present. Scope: `library:read`.
         */
        get: operations["listSavedServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/library/lists/{id}/services/{service_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a service on a list
         * @description Puts a service on a list of your organisation, after those that are there; a list may have 100. One that is on it already stays as it is, so this may be sent again. Scope: `library:write`.
         */
        put: operations["saveServiceOnList"];
        post?: never;
        /**
         * Take a service off a list
         * @description Takes a service off a list of your organisation; one that is not on it is off it already. Scope: `library:write`.
         */
        delete: operations["takeServiceOffList"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List referrals
         * @description The referrals of your organisation, newest first: those it made, and those to its services. An operator gets all of them, without what is personal or clinical. Scope: `referrals:read`.
         */
        get: operations["listReferrals"];
        put?: never;
        /**
         * Make a referral, or a draft of one
         * @description Refers a person to a service of the library. When this answers 201 the referral is stored and will be delivered to the service and, as the person agreed, to their GP practice. Follow it with `GET /api/referrals/{id}`. With `"status": "draft"` it is kept for your organisation alone, delivered to nobody, and only what is known has to be there. A repeated call, with the `Idempotency-Key` of an earlier one, has two more refusals: 404 if your account may no longer see that referral, and 409 `referral-restricted` or `referral-erased` if nobody may use it. Scope: `referrals:write`.
         */
        post: operations["createReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/reroute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refer the person to another service instead
         * @description Makes a new referral with the same person and reasons, linked to this one (`reroutes`, `rerouted_to`), which was rejected, failed or cancelled. Ask the person first: they agreed to another service. `risk` is required if it was `yes` before. If a message, a change, a note or the name of a file told of a danger since, `safety_notes` says what the new service must know of it, or that it is over: those are not passed on. `agreement` is required if others agreed before, for a child under 16, and for somebody who was one when they agreed. If the person decided that the practice is told less, nobody else may share more here. What was not to be shown online stays so, unless `do_not_show_online` is false. If staff of a sensitive service changed how to reach the person, that is not passed on, and the answer is `422 cannot-refer`: ask the person for their details again. To change more than the service, make a referral with `reroutes` instead. Scope: `referrals:write`.
         */
        post: operations["rerouteReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the referrals of a person
         * @description Those of one person among the referrals that you may see, newest first: by NHS number, or by last name and date of birth, with the postcode as well if you like. It is a POST so that no detail of a person appears in a URL or a log. An operator sends a reason, and no postcode. Restricted referrals are not found. Accents, capitals, spaces and hyphens of names make no difference. Scope: `referrals:read`.
         */
        post: operations["searchReferrals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a referral
         * @description One referral as it is now, with the state of its deliveries. Send its `ETag` as `If-Match` with an action, which compares only the version in it. The `ETag` covers everything that is shown: sent as `If-None-Match`, it is answered 304 only if the whole answer would be the same. Reading alone does not count as seen by a person: see `Onward-Shown-To`. Scope: `referrals:read`.
         */
        get: operations["getReferral"];
        /**
         * Change a draft
         * @description Puts what is known now in the place of the whole draft. Once it was sent this is answered 409: correct it with `PATCH` instead. To refer somebody else, or to another service, withdraw or cancel it and make another. Scope: `referrals:write`.
         */
        put: operations["changeDraft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct the details of an open referral
         * @description Send only what changes; null removes a value that may be missing. The address and the carer are each replaced whole; of `contact`, what you leave out stays. To take away what protects the person, such as “not safe to contact” or the safety notes, say why in `reason`, which both sides read. The referrer’s organisation corrects all of these fields, staff of the service `patient`, `contact`, `needs`, `goals`, `reasonable_adjustments` and `reason` alone. A list is replaced whole; an empty one removes it. The history keeps the old and the new values, the service is told at once, and so is a GP practice that had a copy; earlier letters are marked as superseded. The name, the birth date and the NHS number cannot be corrected: withdraw the referral as made in error, and make it for the right person. A new postcode outside the service’s area is refused to the referrer’s organisation (`does-not-fit`), unless `fit_override` says why the referral stays there. The address that staff of a sensitive service, or of one whose place is confidential, entered stays with the service: the referrer’s organisation reads, here and elsewhere, the one that it had entered itself. Send an address only if you learned it yourself, and leave it out to keep the present one. Where `address_notice` is there, before and in the answer, tell the person who corrects: the address of a confidential place must not be sent, because the GP practice and others get it. Scope: `referrals:write`.
         */
        patch: operations["correctReferral"];
        trace?: never;
    };
    "/api/referrals/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a referral’s history
         * @description Every change of the status, and every correction, transfer, change of the agreement and report of a death: when, by whom, from what to what, and why, oldest first. Nothing in it is ever changed. Scope: `referrals:read`.
         */
        get: operations["getReferralHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a draft
         * @description Makes the draft a referral like any other: it is delivered to the service and, as the person agreed, to their GP practice. What is still missing is named, all of it at once. If the service was marked as sensitive after the draft was last saved, and the practice was to have a copy, the person is asked again first (`cannot-refer`): save the draft with the answer. Scope: `referrals:write`.
         */
        post: operations["requestReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/seen-to": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the person was helped another way
         * @description For a referral that was rejected, failed or cancelled: it then no longer waits for your organisation, as it would until the person is referred again. `seen_to` says when and by whom. The service is not told, and the version stays. Said again, it changes nothing. Scope: `referrals:write`.
         */
        post: operations["seeToReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a referral
         * @description The service takes the person on. For staff of the service. Possible from: requested. Scope: `referrals:write`.
         */
        post: operations["acceptReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a referral
         * @description The service cannot take the person on; the reason tells the referrer what to do instead. For staff of the service. Possible from: requested. Scope: `referrals:write`.
         */
        post: operations["rejectReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start on a referral
         * @description The service has begun to support the person. For staff of the service. Possible from: accepted, on-hold. Scope: `referrals:write`.
         */
        post: operations["startReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a referral on the waiting list
         * @description The person waits for a place; `expected_date` says when there may be one, and is today or later, within a year. For staff of the service. Possible from: accepted, in-progress. Scope: `referrals:write`.
         */
        post: operations["holdReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/change-wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say why or until when the person still waits
         * @description Replaces the reason and the date that the referral has on the waiting list. What you leave out is removed. For staff of the service. Possible from: on-hold. Scope: `referrals:write`.
         */
        post: operations["changeWait"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a referral
         * @description The service has done what it was asked; the outcome goes to the referrer and, as the person agreed, to their GP practice. For staff of the service. Possible from: accepted, in-progress, on-hold. Scope: `referrals:write`.
         */
        post: operations["completeReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a referral without completing it
         * @description The service took the person on, and could not help. For staff of the service. Possible from: accepted, in-progress, on-hold. With the reason `died` it tells the death as well, as `…/died` does, and confirms it for this referral: nothing more is sent about any other open referral of the person, `to_confirm` has those that you may confirm with `…/died/confirm`, and `…/died/undo` takes it all back. Scope: `referrals:write`.
         */
        post: operations["failReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a referral
         * @description Nobody is to do anything more about it. Before it is accepted, only the referrer may cancel it. For staff of the service and the referrer’s organisation. Possible from: requested, accepted, in-progress, on-hold. With the reason `died` it tells the death as well, as `…/died` does, and confirms it for this referral: nothing more is sent about any other open referral of the person, `to_confirm` has those that you may confirm with `…/died/confirm`, and `…/died/undo` takes it all back. Scope: `referrals:write`.
         */
        post: operations["cancelReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/withdraw-as-error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a referral that was sent by mistake
         * @description It should not have been made: another person was meant, or another service. For the referrer’s organisation. Possible from: draft, requested, accepted, rejected, in-progress, on-hold, completed, failed, cancelled. Scope: `referrals:write`.
         */
        post: operations["withdrawReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/gp-actions/{number}/done-by-hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the GP practice has done something, or that staff told it
         * @description For one of `gp_actions`, by its number: it is then `done_by_hand` and no longer open. Both sides of the referral may say so. It needs no `If-Match`, the version stays, and nobody is told. Said again, it changes nothing. Scope: `referrals:write`.
         */
        post: operations["closeGpAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a contact with the person
         * @description For staff of the service, while the referral is open: that somebody contacted the person, or tried. The first contact in which the person was reached sets `first_contact_at` and ends the wait for it. It needs no `If-Match`, the version stays, and nobody is emailed. The same contact sent twice counts once. Scope: `referrals:write`.
         */
        post: operations["logContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/appointments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book an appointment of the person with the service
         * @description For staff of the service, while the referral is open. Until the first contact, `next_date` is the day of the next appointment, or the working day after one at a weekend or bank holiday, at most 28 days ahead (a site can set another number); an urgent referral keeps its date. It needs no `If-Match`, the version stays, and nobody is emailed. Scope: `referrals:write`.
         */
        post: operations["bookAppointment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/appointments/{appointment_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an appointment
         * @description The appointment stays in the list as cancelled. If it moved `next_date`, that is again what it was without it. A second call changes nothing. Scope: `referrals:write`.
         */
        post: operations["cancelAppointment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/measures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add measures of how the person is
         * @description For either side. Send scores alone of SWEMWBS, WEMWBS, MYCaW and PAM, whose questions need a licence. `measure_changes` in the answer pairs the start with the end, and says whether that is better, the same or worse. A measure that is taken again for the start or the end counts in place of the earlier one. The same measure sent again with its `taken_at` counts once. It needs no `If-Match`, the version stays, and nobody is emailed. Scope: `referrals:write`.
         */
        post: operations["addMeasures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/prompts/{prompt_id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a prompt as dealt with
         * @description For one of `prompts`, by its id: it is then gone, and nobody is told of it again. For people of its side, and for operators. It needs no `If-Match`. The version stays, except with `alarming-answer` and `risk-to-act-on`: these need a `reason`, which becomes a line of the history. Scope: `referrals:write`.
         */
        post: operations["dismissPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/person-page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the person a link to their own page
         * @description For the referrer’s organisation, if it was not safe before or the person lost the link. Ask the person each time. The links that were sent before end. The same rules hold as for `person_page` of a new referral. It needs no `If-Match`, and the version stays. Scope: `referrals:write`.
         */
        post: operations["sendPersonPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/person-page/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the links to the person’s own page
         * @description For both sides, at once: when it is no longer safe, or when the person asks for it. A second call changes nothing. It needs no `If-Match`, and the version stays. Scope: `referrals:write`.
         */
        post: operations["endPersonPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/undo-ending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an ending by link was a mistake
         * @description For the referrer. A service without an account can decline, complete or close a referral by the link in its email, and anybody who has that email can press the button. So the GP practice is told of it only after 24 hours. Until then this opens the referral again: it has the status that it had before, the service is told, and the letter about the ending is not sent. Scope: `referrals:write`.
         */
        post: operations["undoEnding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/undo-decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a decline by link was a mistake
         * @description The same as `undo-ending`. Scope: `referrals:write`.
         */
        post: operations["undoDecline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/confirm-ending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an ending by link is right
         * @description For the referrer. A service without an account can decline, complete or close a referral by the link in its email, and anybody who has that email can press the button. So the GP practice is told of it only after 24 hours. This tells it now. The version of the referral stays. Scope: `referrals:write`.
         */
        post: operations["confirmEnding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/agreement-changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that the person agrees to something else
         * @description From this second no letter goes to the GP practice that the person does not agree to, also none that waits or would be tried again; `already_told` says who has one. A practice that may know more than before gets its letter at once: the copy, or after the end the letter about the end, with what is still to do. One that has details and may now have a code alone gets a letter at once, too, which asks it to restrict them. `share_with_gp` counts as false when left out. With `"referral": false` they do not want the referral any more, and it ends as cancelled or rejected; the reason says so if others said it, and not they. Both sides may record it. For a child, or somebody who cannot decide, `said_by` has who said so. Anybody may stop it, also while it is restricted: if less is told than before, nobody is too young to say so. If more is told, `said_by` is required for a child, and for somebody for whom others had agreed. `reason` is required too if others now have more told, or end the referral, and the child or adult had decided otherwise themselves. A colleague of the referrer from whom a sensitive service is hidden may only have less told until they open the referral with a reason. While it is restricted, this still stops and ends. It does not need `If-Match`. Scope: `referrals:write`.
         */
        post: operations["changeAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/things-have-changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has changed for the person
         * @description What both sides told of changes since the referral was made, newest first. Scope: `referrals:read`.
         */
        get: operations["listChanges"];
        put?: never;
        /**
         * Say that things have changed for the person
         * @description For what the other side must know before the next step: the person is worse, has moved, is in hospital. It may make an open referral urgent, and never less urgent; then the answer, or the next step, is due within the days of an urgent one from now, and never later than before. The other side is told at once, and somebody there confirms that they read it. Scope: `referrals:write`.
         */
        post: operations["tellChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/things-have-changed/{change_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that you read what has changed
         * @description For a named person of the side that was told. The first to confirm is kept. Scope: `referrals:write`.
         */
        post: operations["confirmChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer a referral to another service of your organisation
         * @description For staff of the service, while the referral is open. It stays the same referral with the same status, due date, messages and files. The referrer is told at once, and the other service gets it as a letter; a GP practice that had a copy gets a new one. Where the other service is sensitive, the practice is told nothing more until somebody records with `…/agreement-changed` that the person agrees. A referral to a sensitive service, or to one whose place is confidential, goes only to another of that kind. Scope: `referrals:write`.
         */
        post: operations["transferReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/died": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the person has died
         * @description From this moment nothing is sent about any open referral of the person, no matter which organisation made it, and none is accepted, started or put on a waiting list (`409 wrong-state`). Both sides can still write to each other, correct details, and end it for another reason. Somebody of each referral then confirms it with `…/died/confirm`, which ends that referral, or takes it back with `…/died/undo`. Telling it twice changes nothing. Where a report of your organisation was taken back before, only the referrals of your organisation wait, and operators find out about any others. A referral that has ended is answered 409. Scope: `referrals:write`.
         */
        post: operations["reportDeath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/died/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm that the person has died
         * @description Ends this referral with the reason `died`. What waited to be sent is not sent, and the GP practice is asked to say so if it is not true. If the referral had ended before for another reason, that stays, the history says that the death was confirmed, and what waited is sent. What was confirmed before is answered 409. Scope: `referrals:write`.
         */
        post: operations["confirmDeath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/died/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the person has not died
         * @description For a report that was a mistake: `death_reported.may_undo` says whether you may take it back. The organisation that reported it may, and a service that confirmed it, through the referral where it did; an operator may with a `reason`. Every referral of the person is as it was before, also those that were ended because of it, and what waited is sent. Who had a letter that the person has died gets one that says it was a mistake. If an organisation on neither side reported it, either side may say that the person is alive until it confirms the death: only the referrals of their organisation go on, and operators are told. Scope: `referrals:write`.
         */
        post: operations["undoDeath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the messages about a referral
         * @description What the referrer’s organisation and the service wrote to each other, newest first. An operator has to open the referral first. Scope: `referrals:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Write a message about a referral
         * @description Both sides can ask and answer, at any status but draft and entered-in-error. What is written is never changed. It changes neither the status nor the version; `updated_at` moves. Scope: `referrals:write`.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message about a referral
         * @description One message, as an event about it names it. Scope: `referrals:read`.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a referral
         * @description What each is called, what it is and who attached it, newest first. One that was removed says by whom and why. Scope: `referrals:read`.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a referral
         * @description A PDF, PNG or JPEG of at most 10 megabytes, as multipart/form-data in the field `file`. What it is called does not matter: its first octets say what it is. A referral has at most 20 files, of 50 megabytes together. The other side’s system is told by the event `attachment.created`, once the referral was sent. It changes neither the status nor the version; `updated_at` moves. Scope: `referrals:write`.
         */
        post: operations["attachFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a referral
         * @description The file itself, to be saved: it is never shown within a page. One that was removed is answered 404. Scope: `referrals:read`.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/attachments/{attachment_id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a file that was attached by mistake
         * @description For the side that attached it, and for an operator who opened the referral. Its content and its name are deleted for good; the list still says that there was a file, who removed it and why. While the referral is on legal hold, operators who open it can still read the file. If somebody of the other side had opened it, a message asks them to delete their copies. The other side’s system is told by the event `attachment.removed`, once the referral was sent. The version grows. To call it again changes nothing. Scope: `referrals:write`.
         */
        post: operations["removeAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a reason to see all of a referral
         * @description Shows an operator the whole referral, its messages and files for an hour. Shows a colleague of the person who referred which restricted service it is, and what its staff wrote. The reason is kept, and shown to the organisation that made the referral. Scope: `records`.
         */
        post: operations["openReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/openings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who opened a referral
         * @description Every time that an operator of the site, or a colleague from whom the service is hidden, opened the referral: who, when, until when and why, newest first. For the referrer’s organisation, and for operators. Scope: `referrals:read`.
         */
        get: operations["listOpenings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/restrict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restrict a referral
         * @description The person asked that nobody works with what the referral says (UK GDPR, article 18). Until that is lifted neither side reads or changes it, lists show its reference, service and status alone, and nothing of it is sent. Both sides get an email about it. If somebody may come to harm, or the referral is urgent, tell a person at the service first, and say so in `service_told`. Scope: `records`.
         */
        post: operations["restrictReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/unrestrict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the restriction of a referral
         * @description Both sides read it and work with it again, and what waited to be sent is sent. Scope: `records`.
         */
        post: operations["unrestrictReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what a referral says
         * @description Takes away who the person is, all that is clinical, messages, files, and what was sent, for good. The reference, the service, the status and the dates are left. A referral that somebody has still to act on has to be ended first. While a letter, a task of the GP practice or something dangerous is still open, deal with that first, or say in `told` who was told of it. Both sides get an email that it was erased. Scope: `records`.
         */
        post: operations["eraseReferral"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a referral on legal hold
         * @description The record may be needed in court, for an inquest, an inquiry or a complaint. Until that is lifted nothing erases it: not the end of its retention, and not a request. Both sides can keep working with it, and see that it is held. Scope: `records`.
         */
        post: operations["placeLegalHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/lift-legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the legal hold of a referral
         * @description From then on the record can be erased again, on request or when its retention ends. Scope: `records`.
         */
        post: operations["liftLegalHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a referral’s deliveries
         * @description Who was told of the referral, how, and whether it arrived: the service, so that it can act, and the GP practice, as the person agreed, when the referral is made and when it ends. Oldest first. How a delivery stands says nothing about how the referral stands; for that, read the referral. Scope: `referrals:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/letter.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a referral’s letter
         * @description The letter to the service as a PDF, to print or file: what the referral says now. For both sides of the referral. The letter to the GP practice has no call of its own; a test site shows it at `/outbox`. Scope: `referrals:read`.
         */
        get: operations["getReferralLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List undelivered messages
         * @description The operators’ worklist: every message that did not arrive, may not have arrived or was not answered, and every referral whose GP practice was not named: those that are urgent or tell of a danger first, then the oldest. Each has an owner. Nothing of it is clinical. For operators. Scope: `deliveries`.
         */
        get: operations["listDeliveriesToSeeTo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description How one message stands, with all that was tried and heard. For operators. Scope: `deliveries`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a delivery again
         * @description Tries it again from the start, with the same message under the same id. For operators. Scope: `deliveries`.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}/send-another-way": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery another way
         * @description Sends this one delivery by the channel that you choose, instead of its receiver’s own channels. For operators. Scope: `deliveries`.
         */
        post: operations["sendDeliveryAnotherWay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that it was done by hand
         * @description You confirmed that its receiver knows; nothing more is sent. For operators. Scope: `deliveries`.
         */
        post: operations["markDeliveryDone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign an undelivered message
         * @description Takes it over, or gives it to another operator. For operators. Scope: `deliveries`.
         */
        post: operations["assignDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/referrals/{id}/leaflet.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a leaflet for the person, as PDF
         * @description For either side, to hand to the person: the service with its address and times, how far the referral is, what happens next, and whom to ring. It does not name the person. It names no sensitive service, and no address that is kept secret. Where the referral says that contact is not safe or somebody must not know, or tells of a risk, abuse at home or a crisis, it names neither the service nor who referred: ask the person alone whether it is safe to take home. While the person has a page of their own, a QR code leads to it. Scope: `referrals:read`.
         */
        get: operations["getLeaflet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what will happen next
         * @description Test sites only. The referrals that you may see whose patient’s last name picked a story, such as `Completed` or `Rejected-No-Capacity`, newest first: what the simulator has done in the place of the service and the GP practice, and what is to come. `GET /api/simulator/stories` lists the names. Scope: `simulator`.
         */
        get: operations["listSimulations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator/stories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See which stories there are
         * @description Test sites only. Refer a made-up person whose last name is the name of a story, and the simulator plays it: at once, or with the first name `Later` as time is moved on. A service whose name ends in one, such as “Walks (Accepted)”, plays it for everybody who is referred to it. Scope: `simulator`.
         */
        get: operations["listStories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator/{id}/move-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the time on
         * @description Test sites only. Brings all that is to come for one referral nearer: what its story has in store, the operator’s warnings of messages that nobody answered, the reminder to the service and the automatic rejection, and the emails that nobody has opened an urgent referral or read a message. What is then due happens before the answer, in its order. Times that are written down are those at which it really happened. Scope: `simulator`.
         */
        post: operations["moveTimeOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened
         * @description Events of the last 30 days about the referrals that you may see, and about the library, oldest first. Keep the id of the last one and ask for what comes `after` it: nothing is left out and nothing comes twice, however often you ask. An event says that something happened, never a detail: read that from its `href`. Scope: `webhooks`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhooks
         * @description Your account’s webhooks, oldest first, without their secrets. Scope: `webhooks`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description From then on, the site calls your address when something happens that you may see. Each call is a POST with one event, signed with the secret in this answer by the rules of https://www.standardwebhooks.com/. An account may have 20 webhooks. Scope: `webhooks`.
         */
        post: operations["addWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description One of your webhooks, without its secret: whether it is on, and whether it works. Scope: `webhooks`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description Removes a webhook for good, with its waiting events and its attempts. Scope: `webhooks`.
         */
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes what you send and leaves the rest. `enabled: false` switches the webhook off. While it is off, no events are kept for it; replay them afterwards. `enabled: true`, or another `url`, sends the events that have waited for less than three days. Scope: `webhooks`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * @description Gives a webhook a new secret. For 24 hours every call has two signatures, one by each secret, so that your system can change over in its own time. Scope: `webhooks`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends it one event of the type webhook.test, even if it is off, and once only. The result is in its attempts a moment later. Scope: `webhooks`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a webhook
         * @description Every attempt of the last 30 days, newest first, with its event, time and result. Scope: `webhooks`.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends a webhook events of the last 30 days once more: all that it has missed, all of its types after one that you name, or a single one. They keep their ids. One call sends at most 10,000. Use `missed` to catch up: events may arrive out of order, so you may have missed some that happened before the last one that you have. Scope: `webhooks`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/patients/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pack everything that is held about a person
         * @description The first step to a copy for the person (subject access request: UK GDPR, article 15). It packs all referrals of one person, drafts and restricted ones too, with history, messages, files, deliveries and who looked. An operator then reviews the copy on the page at `review_at`, and leaves out what is about somebody else or could cause serious harm. Only then does `GET /api/patients/copies/{id}/record` give it. The person is found by NHS number, or by first name, last name and date of birth; with both, referrals that have no NHS number are found too. It is a POST so that no detail of a person is in an address or a log. The copy and its reason are audited, and shown to the organisations that made the referrals. Check first that the request comes from that person. Scope: `records`.
         */
        post: operations["exportPatientRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/patients/copies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how far a copy of a record has come
         * @description Whether somebody has reviewed the copy, and who. It says nothing about the person. Call again every few minutes, or when the operators tell you. Scope: `records`.
         */
        get: operations["getRecordCopy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/patients/copies/{id}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a reviewed copy of a record
         * @description The record as it was packed, without what the reviewer left out: `left_out` says what that is, as far as the person may be told. That it was handed out is audited. Scope: `records`.
         */
        get: operations["getCopiedRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the figures of a period
         * @description Counts, times and shares of the referrals that were sent in a period, with their status as of today. Operators and managers get the whole site, providers the referrals to their own organisation. Drafts, referrals sent by mistake and, on a live site, simulated ones are not counted. No figure reveals a count of 1 to 7. Scope: `reports:read`.
         */
        get: operations["getReportSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one figure of a period
         * @description One of the figures of `GET /api/reports/summary`, with all its strata. The same rules hold for who reads what, and for small counts. Scope: `reports:read`.
         */
        get: operations["getReportFigure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/loose-ends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List unmatched items
         * @description Messages that arrived and match nothing this site sent, or come from a mailbox that did not get the letter they acknowledge, and jobs that failed every time. Oldest first, each with an owner. For operators. Scope: `deliveries`.
         */
        get: operations["listLooseEnds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/loose-ends/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed job
         * @description Starts the job again, with all its attempts. For operators. Scope: `deliveries`.
         */
        post: operations["retryLooseEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/loose-ends/{id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an unmatched item
         * @description Takes a job out of the queue, or lets a message go a month after it came. For operators. A message must first be read by the same person at `/operator/deliveries/unmatched`, or the answer is 409. Scope: `deliveries`.
         */
        post: operations["closeLooseEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See which site this is, and what it can do
         * @description Needs no token. Says whether the site is for tests, and what a client can count on here.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator/troubles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List simulated failures
         * @description Test sites only. The failures of the last hour, newest first, and how often each was played. Scope: `simulator`.
         */
        get: operations["listTroubles"];
        put?: never;
        /**
         * Simulate a failure
         * @description Test sites only. Simulates a failure on the next calls of your own account, and of nobody else, so that you can see that your client survives it. Each simulated answer has the header `Onward-Simulated` with the kind; a lost answer has no header, because nothing of it arrives. Calls of the simulator itself never fail. Several failures come one after the other; each is forgotten after an hour. Scope: `simulator`.
         */
        post: operations["addTrouble"];
        /**
         * Stop simulating failures
         * @description Test sites only. Forgets all failures of your own account, played or not. Scope: `simulator`.
         */
        delete: operations["clearTroubles"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator/troubles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how often a failure was played
         * @description Test sites only. One failure of the last hour. Scope: `simulator`.
         */
        get: operations["getTrouble"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulator/move-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the time of your webhooks and tokens on
         * @description Test sites only. Brings nearer what is to come for your own account: when a call to a webhook is repeated or given up, when a webhook that fails is switched off, until when an earlier secret signs, and when your access tokens expire. What is then due happens within seconds. Times in the past, and other people’s, stay as they are. For a referral there is `POST /api/simulator/{id}/move-on`. Scope: `simulator`.
         */
        post: operations["moveOwnTimeOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something happened
         * @description The site sends an event to your address. Reply with any 2xx status within 10 seconds. After anything else except 410, or no reply, it is sent again, for three days. Signed by the rules of https://www.standardwebhooks.com/: `webhook-signature` has `v1,` and, in base64, the HMAC-SHA256 of the `webhook-id`, a full stop, the `webhook-timestamp`, a full stop and the body as it came. The key is what follows `whsec_` in the secret, decoded from base64. [Whole receivers](/guide/events-and-webhooks#webhooks) are in the guide.
         *
         *     - `referral.requested`: A referral was made.
         *     - `referral.accepted`: The service takes the person on.
         *     - `referral.rejected`: The service cannot take the person on.
         *     - `referral.in-progress`: The service has begun.
         *     - `referral.on-hold`: The person is on the service’s waiting list, or the reason or date of that has changed.
         *     - `referral.completed`: The service has done what it was asked.
         *     - `referral.failed`: The service could not do what it was asked.
         *     - `referral.cancelled`: The referral was called off.
         *     - `referral.entered-in-error`: The referral should never have been made.
         *     - `referral.corrected`: Details of the referral were put right: read it again.
         *     - `referral.agreement-changed`: The consent has changed: read it again.
         *     - `referral.things-have-changed`: One side told the other that something changed for the person.
         *     - `referral.transferred`: The referral is with another service of the same organisation: read it again.
         *     - `referral.death-reported`: The person was reported to have died: nothing more is sent until somebody confirms it.
         *     - `referral.death-confirmed`: The death was confirmed after the referral had ended: letters that waited are sent.
         *     - `referral.death-undone`: The report of the death was a mistake, and nobody had confirmed it: the referral continues.
         *     - `referral.contact-logged`: Staff of the service contacted the person, or tried.
         *     - `referral.measured`: A side added measures of how the person is, or the person answered questions about it on their page.
         *     - `referral.appointment-changed`: An appointment of the person with the service was booked or cancelled.
         *     - `referral.person-page-changed`: The person’s own page was sent or ended, or the person said on it whether they got help, or that they no longer want the referral.
         *     - `referral.prompted`: Somebody of your side has to look into something, or is reminded of it: read `prompts` of the referral. The other side gets no such event.
         *     - `referral.restricted`: Nobody may work with the referral for now: restrict your copies of it.
         *     - `referral.unrestricted`: The referral may be worked with again.
         *     - `referral.erased`: What the referral said was erased: erase copies of it.
         *     - `delivery.sent`: A message about a referral was handed over.
         *     - `delivery.received`: The receiver can see it.
         *     - `delivery.acknowledged`: Its receiver has answered.
         *     - `delivery.uncertain`: Nobody can tell yet whether it arrived.
         *     - `delivery.failed`: It did not arrive, and is not tried again by itself.
         *     - `delivery.expired`: It was not taken in time.
         *     - `message.created`: One side of a referral wrote to the other.
         *     - `attachment.created`: One side of a referral attached a file.
         *     - `attachment.removed`: A file was removed that was attached by mistake or has a virus, and is no longer there to read: delete your copies of it.
         *     - `service.changed`: A service of the library was added or changed.
         *     - `webhook.test`: Somebody tries the webhook out.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A system is an account of an organisation that nobody signs in as. What it reads does not count as seen.
         * @enum {string}
         */
        AccountType: "person" | "system";
        Address: {
            lines: string[];
            /** @description Such as HR1 2BN. */
            postcode: string;
        };
        /**
         * @description An address that is `asked` for is used once it is `confirmed`.
         * @enum {string}
         */
        AddressChange: "asked" | "confirmed" | "removed" | "taken-back" | "reordered";
        AddressHistoryEntry: {
            id: string;
            /** @description When. */
            at: string;
            /** @description Whose address: `email`, `webhook`, `mesh`, `answer_email`, `code_email` or `code_telephone`; or `channels`, for the order of all. */
            name: string;
            action: components["schemas"]["AddressChange"];
            previous_value: string | null;
            replacement_value: string | null;
            /** @description Who changed or confirmed it. */
            changed_by: string;
        };
        /** @description For the referrer’s side, while the referral is open: show it before somebody corrects the address. `service-has-its-own`: staff of a sensitive service, or of one whose place is confidential, keep another address, which you do not read. `confidential-place`: where the service is, is confidential. Never send that place as the patient’s address: the GP practice and others get what you send. Missing otherwise. */
        AddressNotice: ("service-has-its-own" | "confidential-place") | (string & {});
        /** @description On what the agreement in `consent` rests. */
        Agreement: {
            basis: components["schemas"]["AgreementBasis"];
            /** @description Who judged that the child can decide this. With `competent_child`. */
            judged_by?: string | undefined;
            /**
             * Format: date-time
             * @description When that was judged. With `competent_child`. At most 10 years ago.
             */
            when?: string | undefined;
            /** @description Who decided in the person’s best interests. With `best_interests`. */
            decided_by?: string | undefined;
            /** @description Who was asked before. With `best_interests`. */
            consulted?: string | undefined;
        } & (unknown & unknown);
        /**
         * @description Who agreed, or on what ground it was decided. Left out, it is stored as `person`, or as `not_asked` for somebody under 16. `person` is refused for somebody under 16, and `competent_child` for a child who was under 10 when that was judged. For one of 10 to 12 the service is told their age then, and who judged it.
         * @enum {string}
         */
        AgreementBasis: "person" | "parental_responsibility" | "competent_child" | "best_interests" | "attorney_or_deputy" | "safeguarding";
        /** @description Makes the referral although the person is outside the ages or the area of the service. */
        AnsweringFitOverride: {
            /** @description Why this service all the same. A few words that a colleague would understand. The service sees it. */
            reason: string;
            /** @description The `misfits` of the refusal that the reason answers. With them the reason counts for no others: if the person or the service has changed meanwhile, it is asked again. Without them it counts for whatever does not fit. */
            misfits?: string[] | undefined;
        };
        Appointment: {
            id: string;
            /** Format: date-time */
            at: string;
            kind: components["schemas"]["KnownContactKind"];
            place?: string | undefined;
            by: string;
            cancelled: boolean;
        };
        AssignDeliveryBody: {
            /**
             * Format: uuid
             * @description An operator’s account; your own to take it over.
             */
            account_id: string;
        };
        /** @description The file. */
        AttachFileBody: {
            /** Format: binary */
            file: string;
        };
        Attachment: {
            id: string;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Author"];
            /** @description Its original name, with the extension of its real type. “A file that was removed” once it was removed. */
            name: string;
            media_type: components["schemas"]["FileType"];
            /** @description In bytes. */
            size: number;
            /** @description A virus scanner has found nothing in it. False where none is set up, none answered, or a password keeps it out. */
            scanned: boolean;
            removed: components["schemas"]["FileRemoval"] | null;
        };
        AttachmentPage: {
            items: components["schemas"]["Attachment"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /**
         * @description `sent`: handed over. `received`: the receiver can see it. `acknowledged`: they confirmed it. `will-retry`: did not work, and is tried again by itself. `uncertain`: went out, but nobody can tell whether it arrived. `failed`: cannot work this way. `expired`: was not taken in time. `interrupted`: the site stopped in the middle, and tries again with the same message.
         * @enum {string}
         */
        AttemptOutcome: "sent" | "received" | "acknowledged" | "will-retry" | "uncertain" | "failed" | "expired" | "interrupted";
        Author: {
            name: string;
            organisation: string | null;
        };
        /**
         * @description Whether it takes new people, has them wait, is full at present, or says so only after an assessment of its own.
         * @enum {string}
         */
        Availability: "capacity" | "waitlist" | "no-capacity" | "additional-assessment-required";
        CancelReferralBody: {
            status_reason: {
                code: components["schemas"]["EndReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            };
            /** @description The person declines social prescribing altogether, and not this service alone. Only with the reason `client-declined`. The letter to the GP practice then has the code for it (SNOMED CT 871711000000103). */
            declines_social_prescribing?: boolean | undefined;
        };
        Carer: {
            /** @description The carer’s name. */
            name: string;
            /** @description Such as daughter or neighbour. */
            relationship?: string | undefined;
            telephone?: string | undefined;
            /** @description True if the GP practice’s copy may name the carer. False when left out. Refused together with `contact.who_must_not_know`, whomever that names: it may be the carer. */
            share_with_gp?: boolean | undefined;
        };
        ChangeAgreementBody: {
            /** @description Whether the GP practice gets a copy: true, false, or codes_only for codes without any text. */
            share_with_gp?: (boolean | "codes_only") | undefined;
            /** @description False if the person no longer agrees to be referred. A colleague from whom the service is hidden opens the referral with a reason first. */
            referral?: boolean | undefined;
            /** @description The words that were shown or read to the person, with their answers. Forms and leaflets change: these words stay with the referral. */
            wording?: string | undefined;
            /** @description Who said so, or on what ground it was decided: ask it for somebody under 16, or who cannot decide. Required for them, and for those for whom others had agreed, if the practice is to be told more than before; if less is told, it is stored as `not_asked` when left out. For anybody else, left out by the referrer’s side with more to be told, it is stored as `person`; the service must name who said so. What a child who can decide had decided, only `competent_child` (or `person` from 16 on) changes to more. Anybody may say that less is to be told, so `person` is then accepted at any age. `agreement` still says on what the referral rests. */
            said_by?: components["schemas"]["Agreement"] | undefined;
            /** @description Why the practice is told more than the person decided themselves, or why the referral ends although they agreed to it. Required if they decided it, as a child who can decide or as an adult, and others in `said_by` decide now. Both sides see it. */
            reason?: string | undefined;
        };
        ChangeWaitBody: {
            status_reason: {
                code: components["schemas"]["WaitReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            };
            /**
             * Format: date
             * @description When a place is expected, if that is known. At most a year away.
             */
            expected_date?: string | undefined;
        };
        ChangedAgreement: components["schemas"]["Referral"] & {
            /** @description Who has a letter already, or may have. They are not told of the change: do that yourself. */
            already_told: components["schemas"]["ToldReceiver"][];
        };
        Channel: ("inbox" | "email" | "webhook" | "mesh" | "document") | (string & {});
        CommunicationNeeds: {
            /** @description The language, such as Polish or British Sign Language. */
            interpreter?: string | undefined;
            /** @description Such as large print or easy read. */
            format?: string | undefined;
        };
        CompleteReferralBody: {
            outcome: components["schemas"]["NewOutcome"];
            /** @description What the GP practice has to do. An empty list says that there is nothing; left out, it is shown as not asked. What was said with the referral does not answer for its end. */
            gp_actions?: components["schemas"]["NewGpAction"][] | undefined;
        };
        Consent: {
            /** @description The person agrees to be referred. Must be true. */
            referral: boolean;
            /** @description Whether the GP practice gets a copy: true, false, or codes_only for codes without any text. */
            share_with_gp: boolean | "codes_only";
            /** @description The words that were shown or read to the person, with their answers. Forms and leaflets change: these words stay with the referral. */
            wording?: string | undefined;
            /** @description Who asked the person. You, when left out. */
            recorded_by?: string | undefined;
            /**
             * Format: date-time
             * @description At most 10 years ago. When left out: `made_at`, or else now.
             */
            recorded_at?: string | undefined;
        };
        Contact: {
            id: string;
            /** Format: date-time */
            at: string;
            kind: components["schemas"]["KnownContactKind"];
            /** @description Whether somebody spoke with the person, or met them. */
            reached: boolean;
            by: string;
            note?: string | undefined;
        };
        /** @description How to reach the person, what they need for that, and their ethnic category. */
        ContactCorrection: {
            address?: components["schemas"]["Address"] | undefined;
            telephone?: (string | null) | undefined;
            /** Format: email */
            email?: (string | null) | undefined;
            /** @description How the person would like to be contacted, such as telephone or letter. */
            preferred_contact?: (string | null) | undefined;
            communication_needs?: (components["schemas"]["CommunicationNeeds"] | null) | undefined;
            carer?: (components["schemas"]["Carer"] | null) | undefined;
            ethnic_category?: (components["schemas"]["EthnicCategory"] | null) | undefined;
        };
        ContactElsewhere: {
            id: string | null;
            reference: string | null;
            contact: components["schemas"]["KnownSafeContact"] | null;
            /** @description It asks for more care than this referral: go by it. */
            stricter: boolean;
            /** @description Ring this person before you contact the patient: their organisation gave a more careful answer in a referral that is not for you to know. */
            ring_first?: string | undefined;
            /**
             * @description It may be of somebody else: only the last name, the birth date, the first letter, and the telephone or postcode are the same.
             * @constant
             */
            may_be_another?: true | undefined;
        };
        /**
         * @description How the person is contacted or met.
         * @enum {string}
         */
        ContactKind: "telephone" | "text" | "email" | "letter" | "video" | "in-person" | "home-visit";
        ContactOverride: {
            /** @description Why this answer about safe contact is right, although another open referral of the person by your organisation asks for more care. A few words that a colleague would understand. The service sees it: name no other service. */
            reason: string;
        };
        /**
         * @description Whether it is safe to contact the person in this way. With `only_at`, say when or where in `only_at`.
         * @enum {string}
         */
        ContactSafety: "yes" | "no" | "only_at";
        /**
         * @description Only for the answer that the site holds nothing. You choose the format of a copy when you get it.
         * @enum {string}
         */
        CopyFormat: "json" | "zip";
        /** @enum {string} */
        CopyPurpose: "person" | "required_by_law" | "beyond_care";
        CopyRequest: {
            /** @description Ten digits, in groups if you like: 999 000 0018. */
            nhs_number?: string | undefined;
            /** @description First name or names. Without nhs_number, or where several people have that number, all three are needed. */
            given_name?: string | undefined;
            /** @description Last name. */
            family_name?: string | undefined;
            /** Format: date */
            birth_date?: string | undefined;
            reason: components["schemas"]["OperatorReason"];
            /** @description `person`, which is the default: the copy is for the person, or for somebody who acts for them. `required_by_law`: for somebody whom the law lets have it, such as a court. `beyond_care`: for anything else, such as research or planning; `opt_out` is required then. */
            purpose?: components["schemas"]["CopyPurpose"] | undefined;
            /** @description What was decided about the national data opt-out. Only with `beyond_care`. */
            opt_out?: {
                /** @description `not_opted_out`: it was checked that the person has not opted out. `does_not_apply`: the opt-out does not apply, for example because the person consents to this use. */
                decision: components["schemas"]["OptOutDecision"];
                /** @description How that is known, such as the date of the check. A few words that a colleague would understand. */
                because: string;
            } | undefined;
            /** @deprecated */
            format?: components["schemas"]["CopyFormat"] | undefined;
        } & (unknown & unknown);
        /**
         * @description `to_review` until an operator has reviewed it on the page at `review_at`. `deleted` 30 days after it was packed: only the decisions about it are kept.
         * @enum {string}
         */
        CopyStatus: "to_review" | "reviewed" | "handed_out" | "deleted";
        Correction: {
            patient?: components["schemas"]["ContactCorrection"] | undefined;
            /** @description What the person needs help with, each at most once. */
            needs?: components["schemas"]["Need"][] | undefined;
            /** @description What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met. */
            goals?: components["schemas"]["Goal"][] | undefined;
            /** @description The reasonable adjustments that the person needs. The service sees them first. */
            reasonable_adjustments?: components["schemas"]["ReasonableAdjustment"][] | undefined;
            contact?: components["schemas"]["SafeContactCorrection"] | undefined;
            do_not_show_online?: components["schemas"]["DoNotShowOnline"] | undefined;
            gp_practice?: (components["schemas"]["GpPracticeCode"] | null) | undefined;
            urgency?: components["schemas"]["Urgency"] | undefined;
            /** @description What staff must know to keep the person and themselves safe. */
            safety_notes?: (string | null) | undefined;
            /** @description Whether the letter to the GP practice has the safety notes. False when left out. */
            safety_notes_for_practice?: boolean | undefined;
            /** @description Why the referral stays with the service although the new postcode is outside its area. Without it, such a postcode is refused to the referrer’s organisation (`does-not-fit`). */
            fit_override?: (components["schemas"]["AnsweringFitOverride"] | null) | undefined;
            /** @description Why it is corrected. A few words that a colleague would understand. Required if a protection is taken away: that it is not safe to contact the person, or only at certain times or in one way; other times; another way, or a voicemail, where contact is not plainly safe or somebody must not know; that no voicemail may be left; who must not know; `do_not_show_online`; words of the safety notes; that it is urgent. Both sides read it, in the history and in the service’s letter. */
            reason?: string | undefined;
        };
        /** @description Only if `search` has words of a crisis, such as “kill myself”: show it above the services, which answer in days. An answer line by line does not have it. */
        CrisisHelp: {
            /** @description If a life is at risk, or somebody is being hurt. */
            emergency_number: string;
            /** @description For a crisis of mental health that cannot wait. */
            mental_health_number: string;
            /** @description The Samaritans, who listen day and night. */
            listening_number: string;
            /** @description Whom to tell of a child or adult who is being hurt; null if the site names nobody. */
            safeguarding_contact: string | null;
        };
        /** @enum {string} */
        Day: "MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU" | "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";
        /** @description Makes the referral although your organisation was told that the person has died. */
        DeathOverride: {
            /** @description Why this is somebody else, or how you know that they are alive. A few words that a colleague would understand. The service sees it. */
            reason: string;
        };
        Delivery: {
            /** Format: uuid */
            id: string;
            leg: components["schemas"]["DeliveryLeg"];
            purpose: components["schemas"]["DeliveryPurpose"];
            /** @description The channel, such as inbox (the list of referrals on this site) or document (a letter to print or file); null until it is chosen. */
            channel: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** @description The reason for the status, in plain words. */
            detail: string | null;
            refused_because: components["schemas"]["RefusalCause"] | null;
            /** @description True on a test site: the message was captured, and went nowhere. */
            simulated: boolean;
            /** @description A newer letter has taken its place, because something was corrected. */
            superseded: boolean;
            /** @description What was tried, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updated_at: string;
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt ended.
             */
            at: string;
            outcome: components["schemas"]["AttemptOutcome"];
            /** @description What happened, in plain words. */
            detail: string;
        };
        /**
         * @description Who is told.
         * @enum {string}
         */
        DeliveryLeg: "service" | "gp_practice";
        DeliveryPage: {
            items: components["schemas"]["Delivery"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @description What the message is about: that the referral was made, how it ended, or that a practice which was named by mistake removes its letter. */
        DeliveryPurpose: ("referral" | "outcome" | "removal") | (string & {});
        /** @description `queued`: waits to be sent, for the first time or again. `sending`: is being sent. `sent`: handed over. `received`: the receiver can see it. `acknowledged`: the receiver has answered. `uncertain`: nobody can tell yet whether it arrived. `failed`: it did not arrive, and is not tried again by itself. `expired`: it was not taken in time. `suppressed`: it is not sent, because it was not to be, or because something later took its place. */
        DeliveryStatus: ("queued" | "sending" | "sent" | "received" | "acknowledged" | "uncertain" | "failed" | "expired" | "suppressed") | (string & {});
        DeliverySummary: {
            id: string;
            leg: components["schemas"]["DeliveryLeg"];
            purpose: components["schemas"]["DeliveryPurpose"];
            /** @description The GP practice that it goes to, also if the referral names another one now; null for the service. */
            practice: string | null;
            /** @description Its ODS code. */
            practice_code: string | null;
            channel: string | null;
            status: components["schemas"]["DeliveryStatus"];
            /** @description It went out, or still may. Also true where it was stopped (`suppressed`) after an attempt that may have reached its receiver. */
            may_have_arrived: boolean;
            refused_because: components["schemas"]["RefusalCause"] | null;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description True if the GP practice is not to show its copy where the patient, or somebody at their side, reads the record online. The letter says so, and it says so in any case if `contact` names somebody who must not know, or is not safe, if a child agreed for themselves (`competent_child`), and if the service is sensitive. */
        DoNotShowOnline: boolean;
        DraftAddress: {
            lines?: string[] | undefined;
            /** @description Such as HR1 2BN. */
            postcode?: string | undefined;
        };
        /** @description On what the agreement in `consent` rests. */
        DraftAgreement: {
            basis?: components["schemas"]["AgreementBasis"] | undefined;
            /** @description Who judged that the child can decide this. With `competent_child`. */
            judged_by?: string | undefined;
            /**
             * Format: date-time
             * @description When that was judged. With `competent_child`. At most 10 years ago.
             */
            when?: string | undefined;
            /** @description Who decided in the person’s best interests. With `best_interests`. */
            decided_by?: string | undefined;
            /** @description Who was asked before. With `best_interests`. */
            consulted?: string | undefined;
        };
        /** @description Makes the referral although the person is outside the ages or the area of the service. */
        DraftAnsweringFitOverride: {
            /** @description Why this service all the same. A few words that a colleague would understand. The service sees it. */
            reason?: string | undefined;
            /** @description The `misfits` of the refusal that the reason answers. With them the reason counts for no others: if the person or the service has changed meanwhile, it is asked again. Without them it counts for whatever does not fit. */
            misfits?: string[] | undefined;
        };
        DraftCarer: {
            /** @description The carer’s name. */
            name?: string | undefined;
            /** @description Such as daughter or neighbour. */
            relationship?: string | undefined;
            telephone?: string | undefined;
            /** @description True if the GP practice’s copy may name the carer. False when left out. Refused together with `contact.who_must_not_know`, whomever that names: it may be the carer. */
            share_with_gp?: boolean | undefined;
        };
        DraftCommunicationNeeds: {
            /** @description The language, such as Polish or British Sign Language. */
            interpreter?: string | undefined;
            /** @description Such as large print or easy read. */
            format?: string | undefined;
        };
        DraftConsent: {
            /** @description The person agrees to be referred. Must be true. */
            referral?: boolean | undefined;
            /** @description Whether the GP practice gets a copy: true, false, or codes_only for codes without any text. */
            share_with_gp?: (boolean | "codes_only") | undefined;
            /** @description The words that were shown or read to the person, with their answers. Forms and leaflets change: these words stay with the referral. */
            wording?: string | undefined;
            /** @description Who asked the person. You, when left out. */
            recorded_by?: string | undefined;
            /**
             * Format: date-time
             * @description At most 10 years ago. When left out: `made_at`, or else now.
             */
            recorded_at?: string | undefined;
        };
        DraftContactOverride: {
            /** @description Why this answer about safe contact is right, although another open referral of the person by your organisation asks for more care. A few words that a colleague would understand. The service sees it: name no other service. */
            reason?: string | undefined;
        };
        /** @description Makes the referral although your organisation was told that the person has died. */
        DraftDeathOverride: {
            /** @description Why this is somebody else, or how you know that they are alive. A few words that a colleague would understand. The service sees it. */
            reason?: string | undefined;
        };
        DraftGoal: {
            /** @description What the person wants to change, in their own words. */
            text?: string | undefined;
            need?: components["schemas"]["Need"] | undefined;
            result?: components["schemas"]["GoalResult"] | undefined;
        };
        /** @description The person’s GP practice. */
        DraftGpPracticeCode: {
            ods_code?: string | undefined;
        };
        /** @description Makes the referral although the site knows the NHS number with another name or date of birth. */
        DraftMismatchOverride: {
            /** @description Why the number is right, such as a marriage. A few words that a colleague would understand. The service sees it. */
            reason?: string | undefined;
        };
        /** @description Makes the referral although the person has the first and last name of your account. The Caldicott guardian is told of it. It has no effect where the email address is yours. */
        DraftNamesakeOverride: {
            /** @description How you know that it is somebody else. A few words that a colleague would understand. The service sees it. */
            reason?: string | undefined;
        };
        DraftNewGpAction: {
            /** @description What the practice is asked to do. */
            text?: string | undefined;
            /**
             * Format: date
             * @description By when. Today or later, and within 100 years.
             */
            by_date?: string | undefined;
            /** @description Who asks, with a telephone number. You and your organisation, when left out. */
            asked_by?: string | undefined;
            /** @description Whether the person knows that the practice is asked. */
            patient_told?: boolean | undefined;
        };
        /** @description The person who is referred. */
        DraftPatient: {
            /** @description Ten digits. You may send them in groups, 999 000 0018; the answer has no spaces. A test site takes only numbers that begin with 999. */
            nhs_number?: string | undefined;
            /** @description Such as Mr, Mrs, Mx or Dr. */
            title?: string | undefined;
            /** @description First name or names. */
            given_name?: string | undefined;
            /** @description Last name. */
            family_name?: string | undefined;
            /** Format: date */
            birth_date?: string | undefined;
            gender?: components["schemas"]["Gender"] | undefined;
            /** @description As the person describes it. */
            ethnicity?: string | undefined;
            ethnic_category?: components["schemas"]["EthnicCategory"] | undefined;
            address?: components["schemas"]["DraftAddress"] | undefined;
            telephone?: string | undefined;
            /** Format: email */
            email?: string | undefined;
            /** @description How the person would like to be contacted, such as telephone or letter. */
            preferred_contact?: string | undefined;
            communication_needs?: components["schemas"]["DraftCommunicationNeeds"] | undefined;
            carer?: components["schemas"]["DraftCarer"] | undefined;
        };
        DraftReason: {
            /** @description In your own words. */
            text?: string | undefined;
            /** @description A SNOMED CT code. */
            code?: string | undefined;
        };
        DraftReferral: {
            /** @description The id of a service in the library. */
            service_id?: string | undefined;
            urgency?: components["schemas"]["Urgency"] | undefined;
            patient?: components["schemas"]["DraftPatient"] | undefined;
            referrer?: {
                /** @description The colleague for whom you make the referral. */
                on_behalf_of?: string | undefined;
            } | undefined;
            gp_practice?: components["schemas"]["DraftGpPracticeCode"] | undefined;
            /** @description Why the person is referred. */
            reasons?: components["schemas"]["DraftReason"][] | undefined;
            /** @description What the person needs help with, each at most once. */
            needs?: components["schemas"]["Need"][] | undefined;
            /** @description What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met. */
            goals?: components["schemas"]["DraftGoal"][] | undefined;
            /** @description The reasonable adjustments that the person needs. The service sees them first. */
            reasonable_adjustments?: components["schemas"]["ReasonableAdjustment"][] | undefined;
            episode?: components["schemas"]["Episode"] | undefined;
            source?: components["schemas"]["ReferralSource"] | undefined;
            method?: components["schemas"]["ReferralMethod"] | undefined;
            /** @description What matters to the person. */
            what_matters?: string | undefined;
            /** @description What staff must know to keep the person and themselves safe. */
            safety_notes?: string | undefined;
            /** @description Whether the letter to the GP practice has the safety notes. False when left out. */
            safety_notes_for_practice?: boolean | undefined;
            /** @description What has been offered or tried so far. */
            support_offered?: string | undefined;
            risk?: components["schemas"]["Risk"] | undefined;
            risk_acted_on?: components["schemas"]["DraftRiskActedOn"] | undefined;
            contact?: components["schemas"]["DraftSafeContact"] | undefined;
            do_not_show_online?: components["schemas"]["DoNotShowOnline"] | undefined;
            person_page?: components["schemas"]["DraftSendPersonPage"] | undefined;
            agreement?: components["schemas"]["DraftAgreement"] | undefined;
            fit_override?: components["schemas"]["DraftAnsweringFitOverride"] | undefined;
            mismatch_override?: components["schemas"]["DraftMismatchOverride"] | undefined;
            namesake_override?: components["schemas"]["DraftNamesakeOverride"] | undefined;
            contact_override?: components["schemas"]["DraftContactOverride"] | undefined;
            urgency_override?: components["schemas"]["DraftUrgencyOverride"] | undefined;
            death_override?: components["schemas"]["DraftDeathOverride"] | undefined;
            /**
             * Format: date-time
             * @description When the referral was taken on paper, if it is typed in later, for example because the site was away. In the past, and at most 31 days ago (a site can set another number). Due dates count from then.
             */
            made_at?: string | undefined;
            /** @description What the GP practice has to do. An empty list says that there is nothing; left out, it is shown as not asked. What was said with the referral does not answer for its end. */
            gp_actions?: components["schemas"]["DraftNewGpAction"][] | undefined;
            consent?: components["schemas"]["DraftConsent"] | undefined;
            /**
             * Format: uuid
             * @description The id of a referral of yours that was unsuccessful (rejected, failed or cancelled), which this one replaces. Then `agreement` is required if others had agreed to that one, or for a child, and what was not to be shown online stays so unless `do_not_show_online` is false.
             */
            reroutes?: string | undefined;
        };
        /** @description What was done about the risk. */
        DraftRiskActedOn: {
            /** @description Who was told of the risk, such as the police or the duty social worker. */
            who_was_told?: string | undefined;
            /**
             * Format: date-time
             * @description When they were told. At most 31 days ago, or before `made_at`.
             */
            when?: string | undefined;
        };
        /** @description How it is safe to contact the person. Left out, it is stored as `{"safe": "not_asked"}`. Pages and letters say it first. */
        DraftSafeContact: {
            /** @description How: telephone, text, email, letter or in person. Other words are shown as they are. */
            channel?: string | undefined;
            safe?: components["schemas"]["ContactSafety"] | undefined;
            /** @description When or where it is safe, such as: weekdays before three. Required with `only_at`, and only for it. */
            only_at?: string | undefined;
            /** @description Whether a voicemail may be left. Not true with `safe: no`. */
            voicemail?: boolean | undefined;
            /** @description Who must not learn of the referral, such as: her husband. */
            who_must_not_know?: string | undefined;
        };
        /** @description A link to a page of their own, to the safe email address or mobile number: where the referral stands, what happens next, whom to ring. It says only “You have a message”, and the page opens with a code that goes the same way. It needs `contact` with `safe: yes` and `channel: email`, and `patient.email`; or `channel: text` and a UK mobile in `patient.telephone`, where the site sends texts. It is refused for sensitive services, where a need, an answer or the words tell of abuse at home, a risk of harm or a crisis, while somebody must not know, where somebody else decides for the person, and under 16 without `competent_child`. Ask each time: it is never copied from another referral. */
        DraftSendPersonPage: {
            /** @description True if you asked the person, and it is safe to send this to them. False when left out. */
            send?: boolean | undefined;
        };
        DraftUrgencyOverride: {
            /** @description Why the referral is not urgent, although somebody is at risk of serious harm or its text has words of a crisis. A few words that a colleague would understand. The service sees it. */
            reason?: string | undefined;
        };
        EmptyBody: Record<string, never>;
        EndPersonPageBody: {
            /** @description True if the person asked for it, for example by telephone. False when left out. */
            asked_by_person?: boolean | undefined;
        };
        /** @enum {string} */
        EndReasonCode: "no-capacity" | "not-eligible" | "out-of-area" | "unsuitable-time" | "transport" | "failed-contact" | "missing-information" | "client-declined" | "other" | "needs-met-otherwise" | "moved-away" | "died";
        /**
         * @description `continuing` if an earlier referral began this episode of care: the letter to the GP practice then has no code for a referral, because a second code would count as a second referral. Left out, it is not known, and the letter has the code unless this referral replaces one whose letter had it.
         * @enum {string}
         */
        Episode: "first" | "continuing";
        EraseReferralBody: {
            reason: components["schemas"]["OperatorReason"];
            ground?: components["schemas"]["ErasureGround"] | undefined;
            told?: components["schemas"]["ToldOfWhatIsOpen"] | undefined;
        };
        /**
         * @description On which ground of UK GDPR, article 17(1), it is erased. `not-needed`: It is no longer needed for the care that it was recorded for, or to account for that. `consent-withdrawn`: It was kept by consent alone, and the person has withdrawn that. `objection`: The person objects to it being kept, and there is no overriding reason to keep it. `unlawful`: It should never have been recorded. `legal-duty`: The law requires that it is erased. Without one nothing is erased, and the answer is 422.
         * @enum {string}
         */
        ErasureGround: "not-needed" | "consent-withdrawn" | "objection" | "unlawful" | "legal-duty";
        /**
         * @description The code of UK Core and the NHS data dictionary, beside the person’s own words in `ethnicity`: `99` Not known; `A` White: English, Welsh, Scottish, Northern Irish or British; `B` White: Irish; `C` Any other White background; `D` Mixed: White and Black Caribbean; `E` Mixed: White and Black African; `F` Mixed: White and Asian; `G` Any other mixed background; `H` Asian: Indian; `J` Asian: Pakistani; `K` Asian: Bangladeshi; `L` Any other Asian background; `M` Black: Caribbean; `N` Black: African; `P` Any other Black background; `R` Chinese; `S` Any other ethnic group; `Z` The person prefers not to say.
         * @enum {string}
         */
        EthnicCategory: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "J" | "K" | "L" | "M" | "N" | "P" | "R" | "S" | "Z" | "99";
        /** @description Something that happened, without any detail of it. */
        Event: {
            /**
             * Format: uuid
             * @description The id of the event: the same whenever it is sent again. It is also sent as `webhook-id`.
             */
            id: string;
            type: components["schemas"]["EventType"];
            /** @description The version of this type of event: 1 until its form changes. */
            version: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description What it happened to. For a delivery, `href` is the list of the referral’s deliveries. */
            resource: {
                type: components["schemas"]["EventResourceType"];
                /** @description Its own id. For a message, the id of the message, not of the referral. */
                id: string;
                /** @description The referral that it belongs to; for a referral the same as `id`. Null for the library and for a test event. */
                referral_id: string | null;
                /**
                 * Format: uri
                 * @description Where to read the resource, as it is now.
                 */
                href: string;
            };
        };
        /** @description What it happened to. */
        EventResourceType: ("referral" | "delivery" | "message" | "attachment" | "service" | "webhook") | (string & {});
        /** @description What happened. More types may come: ignore those that you do not know. */
        EventType: ("referral.requested" | "referral.accepted" | "referral.rejected" | "referral.in-progress" | "referral.on-hold" | "referral.completed" | "referral.failed" | "referral.cancelled" | "referral.entered-in-error" | "referral.corrected" | "referral.agreement-changed" | "referral.things-have-changed" | "referral.transferred" | "referral.death-reported" | "referral.death-confirmed" | "referral.death-undone" | "referral.contact-logged" | "referral.measured" | "referral.appointment-changed" | "referral.person-page-changed" | "referral.prompted" | "referral.restricted" | "referral.unrestricted" | "referral.erased" | "delivery.sent" | "delivery.received" | "delivery.acknowledged" | "delivery.uncertain" | "delivery.failed" | "delivery.expired" | "message.created" | "attachment.created" | "attachment.removed" | "service.changed" | "webhook.test") | (string & {});
        /** @enum {string} */
        Facet: "taxonomy_term_id" | "day" | "capacity" | "way" | "language" | "feature";
        FacetCount: {
            /** @description What to send as the filter’s value. */
            value: string;
            /** @description What to call it on a page. */
            name: string;
            /** @description The name of a term’s taxonomy. */
            taxonomy?: string | undefined;
            /** @description How many services it would leave. */
            count: number;
        };
        FailReferralBody: {
            status_reason: {
                code: components["schemas"]["EndReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            };
            /** @description The person declines social prescribing altogether, and not this service alone. Only with the reason `client-declined`. The letter to the GP practice then has the code for it (SNOMED CT 871711000000103). */
            declines_social_prescribing?: boolean | undefined;
            /** @description The id of another service that may help the person: one that takes referrals here and is not sensitive. The referrer sees it, and can refer the person there. */
            suggested_service_id?: string | undefined;
        };
        /** @enum {string} */
        Feature: "free" | "step-free" | "hearing-loop" | "self-referral";
        /** @description It was attached by mistake or has a virus, and its content is deleted: delete your copies of it. Null for a file that is there. */
        FileRemoval: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Author"];
            reason: components["schemas"]["FileRemovalReason"];
        };
        /** @description `virus`: a virus scanner found it after the file was attached. */
        FileRemovalCode: ("about-somebody-else" | "wrong-file" | "other" | "virus") | (string & {});
        FileRemovalReason: {
            code: components["schemas"]["FileRemovalCode"];
            /** @description The reason in words; empty where the code says it all. */
            text: string;
        };
        /** @enum {string} */
        FileRemovalReasonCode: "about-somebody-else" | "wrong-file" | "other";
        /** @enum {string} */
        FileType: "application/pdf" | "image/png" | "image/jpeg";
        /** @description Why the other service takes the person although they are outside its ages or its area. */
        FitOverride: {
            /** @description Why this service all the same. A few words that a colleague would understand. The service sees it. */
            reason: string;
        };
        /** @description A GP practice that was looked for. */
        FoundPractice: components["schemas"]["Practice"] & {
            /** @description How far it is, as the crow flies, from the postcode that `near` names; null without one, and where the practice’s own place is not known. */
            distance_metres: number | null;
        };
        FoundPracticePage: {
            items: components["schemas"]["FoundPractice"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /**
         * @description As the person describes it, in the words of FHIR. `unknown` if they were asked and did not say; leave it out if nobody asked.
         * @enum {string}
         */
        Gender: "male" | "female" | "other" | "unknown";
        Goal: {
            /** @description What the person wants to change, in their own words. */
            text: string;
            need?: components["schemas"]["Need"] | undefined;
            result?: components["schemas"]["GoalResult"] | undefined;
        };
        /**
         * @description Whether it was achieved, `partly` or `not`. Left out while nobody has said.
         * @enum {string}
         */
        GoalResult: "achieved" | "partly" | "not";
        GpAction: {
            /** @description Counts from 1 in this referral. */
            number: number;
            text: string;
            /**
             * Format: date
             * @description By when; null if no date was given.
             */
            by_date: string | null;
            /** @description Who asks. Null only in a draft. */
            asked_by: string | null;
            /** @description Whether the person knows of it; null if that was not asked. */
            patient_told: boolean | null;
            /** @description Whether a letter to the practice asks for it. If not, because none was named, it has closed, or the person did not agree, tell their practice yourself. */
            asked_by_letter: boolean;
            status: components["schemas"]["GpActionStatus"];
            /** @description Who said that the practice has done it or that staff told it, and when. */
            done_by_hand: components["schemas"]["WhoAndWhen"] | null;
        };
        /**
         * @description `open` until the practice has confirmed the letter that asks for it, or staff have said that it was done.
         * @enum {string}
         */
        GpActionStatus: "open" | "acknowledged" | "done_by_hand";
        GpPractice: {
            ods_code: string;
            name: string;
        };
        /** @description The person’s GP practice. */
        GpPracticeCode: {
            ods_code: string;
        };
        HistoryEntry: {
            version: number;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Author"];
            from: string | null;
            to: string;
            reason: components["schemas"]["StatusReason"] | null;
            kind: components["schemas"]["HistoryKind"];
            /** @description Which fields changed, with the values before and after; null for a change of status. */
            changes: {
                field: string;
                from: unknown;
                to: unknown;
            }[] | null;
        };
        HistoryEntryPage: {
            items: components["schemas"]["HistoryEntry"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @description `status`: the status changed. `correction`: details were put right. `agreement`: what the person agrees to changed. `things-have-changed`: one side told the other that something changed for the person. `news-read`: somebody of the service ticked by a link, without an account, that they read messages or what had changed. `alarming-answer-settled`: somebody looked into a worrying answer; `reason` says what they did. `risk-acted-on`: somebody confirmed that somebody has acted on a risk; `reason` says how. `file-removed`: a file that was attached by mistake was removed. `file-with-virus`: the virus scanner found a virus in a file later, and the site removed it. `transfer`: it went to another service of the same organisation. `death-reported`, `death-undone`: somebody told that the person has died, or that this was a mistake. `death-confirmed`: somebody confirmed it after the referral had ended for another reason; otherwise the end is the line for it. */
        HistoryKind: ("status" | "correction" | "agreement" | "things-have-changed" | "news-read" | "alarming-answer-settled" | "risk-acted-on" | "file-removed" | "file-with-virus" | "transfer" | "death-reported" | "death-confirmed" | "death-undone") | (string & {});
        HoldReferralBody: {
            status_reason: {
                code: components["schemas"]["WaitReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            };
            /**
             * Format: date
             * @description When a place is expected, if that is known. At most a year away.
             */
            expected_date?: string | undefined;
        };
        /** @description How accessible a location is. */
        HsdsAccessibility: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            description?: string | undefined;
            details?: string | undefined;
            url?: string | undefined;
        };
        /** @description The address of a location. */
        HsdsAddress: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            attention?: string | undefined;
            address_1?: string | undefined;
            address_2?: string | undefined;
            city?: string | undefined;
            region?: string | undefined;
            state_province?: string | undefined;
            postal_code?: string | undefined;
            country?: string | undefined;
            address_type?: components["schemas"]["PlaceType"] | undefined;
        };
        /** @description A term of a taxonomy that something has, such as a need that a service meets. */
        HsdsAttribute: {
            id?: string | undefined;
            link_id?: string | undefined;
            link_type?: string | undefined;
            link_entity?: string | undefined;
            value?: string | undefined;
            taxonomy_term_id?: string | undefined;
            taxonomy_term?: components["schemas"]["HsdsTaxonomyTerm"] | undefined;
        };
        /** @description A capacity of a service, as HSDS 3.1 has it. The entry with the unit “Place for a new person” is this site’s own, and says what `service_capacity` says: `available` is 1 where the service has places, because nobody says how many, and otherwise 0; `description` says the rest. Others are those of the source. */
        HsdsCapacity: {
            id: string;
            /** @description What is counted. */
            unit: {
                id: string;
                name: string;
            };
            /** @description How many units were free when it was updated. */
            available: number;
            maximum?: number | undefined;
            description?: string | undefined;
            /** Format: date-time */
            updated: string;
        };
        /** @description A person or desk to get in touch with. */
        HsdsContact: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            name?: string | undefined;
            title?: string | undefined;
            department?: string | undefined;
            email?: string | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
        };
        /** @description What a service costs for some people or at some times. */
        HsdsCostOption: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            valid_from?: string | undefined;
            valid_to?: string | undefined;
            option?: string | undefined;
            currency?: string | undefined;
            amount?: number | undefined;
            amount_description?: string | undefined;
        };
        /** @description Who pays for a service or an organisation. */
        HsdsFunding: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            source?: string | undefined;
        };
        /** @description A language that is spoken. */
        HsdsLanguage: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            name?: string | undefined;
            code?: string | undefined;
            note?: string | undefined;
        };
        /** @description A place, with its addresses and how accessible it is. */
        HsdsLocation: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            location_type?: components["schemas"]["PlaceType"] | undefined;
            url?: string | undefined;
            name?: string | undefined;
            alternate_name?: string | undefined;
            description?: string | undefined;
            transportation?: string | undefined;
            latitude?: number | undefined;
            longitude?: number | undefined;
            external_identifier?: string | undefined;
            external_identifier_type?: string | undefined;
            languages?: components["schemas"]["HsdsLanguage"][] | undefined;
            addresses?: components["schemas"]["HsdsAddress"][] | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            accessibility?: components["schemas"]["HsdsAccessibility"][] | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            schedules?: components["schemas"]["HsdsSchedule"][] | undefined;
        };
        /** @description A record of the changes that have been made to the data in order to maintain provenance information. This site’s own entries leave both values empty. */
        HsdsMetadata: {
            /** @description The identifier for this metadata. Each entry must have a unique identifier. */
            id?: string | undefined;
            /** @description The identifier of the resource (service, program, location, address, or contact) that this metadata describes. */
            resource_id?: string | undefined;
            /** @description The type of entity being referenced. */
            resource_type?: string | undefined;
            /** @description The date when data was changed. */
            last_action_date?: string | undefined;
            /** @description The kind of change made to the data. */
            last_action_type?: string | undefined;
            /** @description The name of field that has been modified. */
            field_name?: string | undefined;
            /** @description The previous value of the field that has been modified. */
            previous_value?: unknown | undefined;
            /** @description The new value of the field that has been modified. */
            replacement_value?: unknown | undefined;
            /** @description The name of the person who modified the field. */
            updated_by?: string | undefined;
        };
        /** @description Who runs the service. */
        HsdsOrganization: {
            id: string;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            email?: string | undefined;
            website?: string | undefined;
            tax_status?: string | undefined;
            tax_id?: string | undefined;
            year_incorporated?: number | undefined;
            legal_status?: string | undefined;
            logo?: string | undefined;
            uri?: string | undefined;
            parent_organization_id?: string | undefined;
            funding?: components["schemas"]["HsdsFunding"][] | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            locations?: components["schemas"]["HsdsLocation"][] | undefined;
            programs?: components["schemas"]["HsdsProgram"][] | undefined;
            organization_identifiers?: components["schemas"]["HsdsOrganizationIdentifier"][] | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
        };
        /** @description A number by which a register knows an organisation. */
        HsdsOrganizationIdentifier: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            identifier_scheme?: string | undefined;
            identifier_type?: string | undefined;
            identifier?: string | undefined;
        };
        /** @description A telephone number. */
        HsdsPhone: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            number: string;
            extension?: number | undefined;
            type?: string | undefined;
            description?: string | undefined;
            languages?: components["schemas"]["HsdsLanguage"][] | undefined;
        };
        /** @description A programme to which services belong. */
        HsdsProgram: {
            id: string;
            name?: string | undefined;
            alternate_name?: string | undefined;
            description?: string | undefined;
        };
        /** @description A document that people bring to a service. */
        HsdsRequiredDocument: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            document?: string | undefined;
            uri?: string | undefined;
        };
        /** @description When something is open, in the manner of iCalendar’s recurrence rules. */
        HsdsSchedule: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            valid_from?: string | undefined;
            valid_to?: string | undefined;
            dtstart?: string | undefined;
            until?: string | undefined;
            timezone?: number | undefined;
            count?: number | undefined;
            wkst?: string | undefined;
            freq?: components["schemas"]["ScheduleFrequency"] | undefined;
            interval?: number | undefined;
            byday?: string | undefined;
            byweekno?: string | undefined;
            bymonthday?: string | undefined;
            byyearday?: string | undefined;
            description?: string | undefined;
            opens_at?: string | undefined;
            closes_at?: string | undefined;
            schedule_link?: string | undefined;
            attending_type?: string | undefined;
            notes?: string | undefined;
        };
        /** @description Where a service is offered. */
        HsdsServiceArea: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            name?: string | undefined;
            description?: string | undefined;
            extent?: string | undefined;
            extent_type?: string | undefined;
            uri?: string | undefined;
        };
        /** @description A service at one of its locations. */
        HsdsServiceAtLocation: {
            id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            description?: string | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            schedules?: components["schemas"]["HsdsSchedule"][] | undefined;
            location?: components["schemas"]["HsdsLocation"] | undefined;
        };
        /** @description A list of terms, such as the needs that services meet. */
        HsdsTaxonomy: {
            id: string;
            name: string;
            description?: string | undefined;
            uri?: string | undefined;
            version?: string | undefined;
        };
        /** @description A term of a taxonomy. */
        HsdsTaxonomyTerm: {
            id: string;
            name: string;
            description?: string | undefined;
            code?: string | undefined;
            parent_id?: string | undefined;
            taxonomy?: string | undefined;
            taxonomy_detail?: components["schemas"]["HsdsTaxonomy"] | undefined;
            taxonomy_id?: string | undefined;
            language?: string | undefined;
            term_uri?: string | undefined;
        };
        KnownAddress: {
            lines?: string[] | undefined;
            /** @description Such as HR1 2BN. */
            postcode?: string | undefined;
        };
        /** @description On what the agreement in `consent` rests. */
        KnownAgreement: {
            basis?: components["schemas"]["KnownAgreementBasis"] | undefined;
            judged_by?: string | undefined;
            /** Format: date-time */
            when?: string | undefined;
            decided_by?: string | undefined;
            consulted?: string | undefined;
        };
        /** @enum {string} */
        KnownAgreementBasis: "person" | "parental_responsibility" | "competent_child" | "best_interests" | "attorney_or_deputy" | "safeguarding" | "not_asked";
        KnownCarer: {
            /** @description The carer’s name. */
            name?: string | undefined;
            /** @description Such as daughter or neighbour. */
            relationship?: string | undefined;
            telephone?: string | undefined;
            /** @description True if the GP practice’s copy may name the carer. False when left out. Refused together with `contact.who_must_not_know`, whomever that names: it may be the carer. */
            share_with_gp?: boolean | undefined;
        };
        KnownCommunicationNeeds: {
            /** @description The language, such as Polish or British Sign Language. */
            interpreter?: string | undefined;
            /** @description Such as large print or easy read. */
            format?: string | undefined;
        };
        KnownConsent: {
            referral?: boolean | undefined;
            /** @description Whether the GP practice gets a copy: true, false, or codes_only for codes without any text. */
            share_with_gp?: (boolean | "codes_only") | undefined;
            /** @description The words that were shown or read to the person, with their answers. */
            wording?: string | undefined;
            recorded_by?: string | undefined;
            /** Format: date-time */
            recorded_at?: string | undefined;
            /** @description Who said that the agreement changes, or on what ground that was decided. `not_asked` for somebody under 16, or for whom others had agreed, if the client did not say. Missing where nothing has changed, or the person said so. */
            said_by?: components["schemas"]["KnownAgreement"] | undefined;
            /** @description Why the practice is told more than the person had decided themselves. */
            reason?: string | undefined;
        };
        KnownContactKind: ("telephone" | "text" | "email" | "letter" | "video" | "in-person" | "home-visit") | (string & {});
        /** @enum {string} */
        KnownContactSafety: "yes" | "no" | "only_at" | "not_asked";
        KnownGoal: {
            /** @description What the person wants to change, in their own words. */
            text?: string | undefined;
            need?: components["schemas"]["KnownNeed"] | undefined;
            result?: components["schemas"]["GoalResult"] | undefined;
        };
        KnownMeasureCode: ("ons4-life-satisfaction" | "ons4-worthwhile" | "ons4-happiness" | "ons4-anxiety" | "ucla-3" | "loneliness-direct" | "swemwbs" | "wemwbs" | "pam-level" | "mycaw") | (string & {});
        KnownMeasureMode: ("in-person" | "telephone" | "video" | "online" | "paper") | (string & {});
        KnownMeasureStage: ("start" | "review" | "end") | (string & {});
        KnownMeasurer: ("person" | "staff") | (string & {});
        KnownNeed: ("social-connection" | "stress" | "bereavement" | "physical-activity" | "arts-nature" | "volunteering" | "long-term-condition" | "food-insecurity" | "utility-insecurity" | "financial-insecurity" | "benefits-debt" | "employment-status" | "legal" | "homelessness" | "housing-instability" | "inadequate-housing" | "transportation-insecurity" | "educational-attainment" | "digital-access" | "digital-literacy" | "language-access" | "personal-health-literacy" | "caring" | "parenting" | "intimate-partner-violence" | "elder-abuse" | "veteran-status" | "other") | (string & {});
        /** @description The person who is referred. */
        KnownPatient: {
            /** @description Ten digits. You may send them in groups, 999 000 0018; the answer has no spaces. A test site takes only numbers that begin with 999. */
            nhs_number?: string | undefined;
            /** @description Such as Mr, Mrs, Mx or Dr. */
            title?: string | undefined;
            /** @description First name or names. */
            given_name?: string | undefined;
            /** @description Last name. */
            family_name?: string | undefined;
            birth_date?: string | undefined;
            gender?: components["schemas"]["Gender"] | undefined;
            /** @description As the person describes it. */
            ethnicity?: string | undefined;
            ethnic_category?: components["schemas"]["EthnicCategory"] | undefined;
            address?: components["schemas"]["KnownAddress"] | undefined;
            telephone?: string | undefined;
            email?: string | undefined;
            /** @description How the person would like to be contacted, such as telephone or letter. */
            preferred_contact?: string | undefined;
            communication_needs?: components["schemas"]["KnownCommunicationNeeds"] | undefined;
            carer?: components["schemas"]["KnownCarer"] | undefined;
        };
        KnownReason: {
            /** @description In your own words. */
            text?: string | undefined;
            /** @description A SNOMED CT code. */
            code?: string | undefined;
        };
        KnownReasonableAdjustment: ("carer-present" | "advocate" | "reminders" | "written-information" | "hearing" | "vision" | "communication-aid" | "wheelchair" | "low-noise" | "low-light" | "same-gender-staff" | "longer-appointment" | "time-to-decide" | "home-visit" | "first-or-last-appointment" | "anxiety" | "not-left-alone") | (string & {});
        KnownReferralSource: ("general-practice" | "community-health" | "hospital" | "mental-health" | "pharmacy" | "social-care" | "housing" | "employment" | "education" | "emergency-service" | "voluntary-sector" | "family-or-carer" | "self" | "other") | (string & {});
        /**
         * @description Whether anybody was at risk of serious harm when the referral was made.
         * @enum {string}
         */
        KnownRisk: "no" | "yes" | "could_not_ask" | "not_asked";
        /** @description How it is safe to contact the person: read this before anything else. Where the service is hidden from you it is always `safe: no`, whatever the person said: ask who referred them before you contact them. */
        KnownSafeContact: {
            channel?: string | undefined;
            safe?: components["schemas"]["KnownContactSafety"] | undefined;
            only_at?: string | undefined;
            voicemail?: boolean | undefined;
            who_must_not_know?: string | undefined;
        };
        /**
         * @description `third_party`: it is about somebody else. `other`: another exemption of the law.
         * @enum {string}
         */
        LeftOutBecause: "third_party" | "other";
        /**
         * @description `held_back`: it is not there. `blacked_out`: █████ stands for the words.
         * @enum {string}
         */
        LeftOutHow: "held_back" | "blacked_out";
        LibraryDescription: {
            /**
             * @description The version of HSDS that the library speaks.
             * @example HSDS-UK-3.0
             */
            version: string;
            /** @description Where the profile of HSDS is described. */
            profile: string;
            /** @description Where this API is described, for programs. */
            openapi_url: string;
        };
        LiftLegalHoldBody: {
            reason: components["schemas"]["OperatorReason"];
        };
        ListEventsAnswer: {
            items: components["schemas"]["Event"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
            /**
             * Format: uuid
             * @description The id of the newest event that you may see, of any type. To begin with what happens from now on, keep this id and ask for what comes after it.
             */
            latest_id: string | null;
        };
        /** @enum {string} */
        ListFormat: "json" | "ndjson";
        ListServiceHistoryAnswer: {
            items: components["schemas"]["ServiceHistoryEntry"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
            /** @description The last 100 changes of where letters about referrals go, the newest first. With the first page alone. */
            address_changes: components["schemas"]["AddressHistoryEntry"][];
        };
        LocationSummary: {
            id?: string | undefined;
            location_type?: components["schemas"]["PlaceType"] | undefined;
            url?: string | undefined;
            name?: string | undefined;
            alternate_name?: string | undefined;
            description?: string | undefined;
            transportation?: string | undefined;
            latitude?: number | undefined;
            longitude?: number | undefined;
            external_identifier?: string | undefined;
            external_identifier_type?: string | undefined;
        };
        LooseEnd: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["LooseEndKind"];
            /** @description The same in plain words. */
            what: string;
            /** Format: date-time */
            opened_at: string;
            owner: components["schemas"]["Person"] | null;
            /** Format: date-time */
            closed_at: string | null;
            closed_as: components["schemas"]["LooseEndClosing"] | null;
            closed_by: components["schemas"]["Person"] | null;
            closing_words: string | null;
            /** @description Which operators have read the message. Only they may resolve it. */
            read_by: components["schemas"]["LooseEndReader"][];
        };
        /** @enum {string} */
        LooseEndClosing: "done" | "retried" | "resolved";
        LooseEndClosingWords: {
            /** @description What was done, in a few words that other operators understand. Write no names of patients. */
            words: string;
        };
        /**
         * @description `unexplained-message`: it came from the NHS message exchange and matches nothing that this site sent, or a message that has since been confirmed, sent by another channel or erased. `given-up-job`: a job that failed every time.
         * @enum {string}
         */
        LooseEndKind: "unexplained-message" | "given-up-job";
        LooseEndPage: {
            items: components["schemas"]["LooseEnd"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        LooseEndReader: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            at: string;
        };
        MakeServiceWebhookSecretAnswer: {
            secret: string;
        };
        MarkDeliveryDoneBody: {
            /** @description How its receiver was told, in a few words that other operators understand. Write no names of patients. */
            words: string;
        };
        Measure: {
            code: components["schemas"]["KnownMeasureCode"];
            stage: components["schemas"]["KnownMeasureStage"];
            value: number;
            /** Format: date-time */
            taken_at: string;
            by: components["schemas"]["KnownMeasurer"];
            mode?: components["schemas"]["KnownMeasureMode"] | undefined;
            /** @description True for the newest of its kind if it is in the worst band, or worse by 3 than at the start. Show at once whom to call: 999 in danger, NHS 111 option 2 for urgent help with mental health. Somebody of the referrer’s organisation gets a prompt to ring the person by the end of the next working day. */
            alarming: boolean;
        };
        MeasureChange: {
            code: components["schemas"]["KnownMeasureCode"];
            start: number | null;
            end: number | null;
            change: components["schemas"]["MeasureDirection"] | null;
        };
        /** @enum {string} */
        MeasureCode: "ons4-life-satisfaction" | "ons4-worthwhile" | "ons4-happiness" | "ons4-anxiety" | "ucla-3" | "loneliness-direct" | "swemwbs" | "wemwbs" | "pam-level" | "mycaw";
        /** @description From the start to the end; null unless both were measured. */
        MeasureDirection: ("better" | "same" | "worse") | (string & {});
        /**
         * @description How it was asked.
         * @enum {string}
         */
        MeasureMode: "in-person" | "telephone" | "video" | "online" | "paper";
        /**
         * @description Taken when the support began, between, or when it ended.
         * @enum {string}
         */
        MeasureStage: "start" | "review" | "end";
        /**
         * @description Whether the person answered, or staff judged.
         * @enum {string}
         */
        Measurer: "person" | "staff";
        Message: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @description Which side wrote it. */
            side: components["schemas"]["ReferralSide"];
            by: components["schemas"]["Author"];
            text: string;
        };
        MessagePage: {
            items: components["schemas"]["Message"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @description Makes the referral although the site knows the NHS number with another name or date of birth. */
        MismatchOverride: {
            /** @description Why the number is right, such as a marriage. A few words that a colleague would understand. The service sees it. */
            reason: string;
        };
        MoveOwnTimeOnAnswer: {
            /** @description By how much this call moved the time on. */
            moved_on_seconds: number;
            /** @description What comes next, the nearest first. */
            next: {
                /**
                 * Format: date-time
                 * @description When, if nobody moves the time on again. A time in the past means: within seconds.
                 */
                at: string;
                /** @description What, in plain words. */
                what: string;
                /** Format: uuid */
                webhook_id: string | null;
            }[];
        };
        MoveOwnTimeOnBody: {
            by: components["schemas"]["TimeSpan"];
        };
        MoveTimeOnBody: {
            by: components["schemas"]["TimeSpan"];
        };
        /** @description Makes the referral although the person has the first and last name of your account. The Caldicott guardian is told of it. It has no effect where the email address is yours. */
        NamesakeOverride: {
            /** @description How you know that it is somebody else. A few words that a colleague would understand. The service sees it. */
            reason: string;
        };
        /**
         * @description What the person may need help with: `social-connection` Company and connection; `stress` Stress; `bereavement` Bereavement; `physical-activity` Being active; `arts-nature` Arts and nature; `volunteering` Volunteering; `long-term-condition` Living with a long-term condition; `food-insecurity` Not enough food; `utility-insecurity` Heating, power or water; `financial-insecurity` Not enough money; `benefits-debt` Benefits or debt; `employment-status` Work; `legal` Legal advice; `homelessness` No home; `housing-instability` May lose their home; `inadequate-housing` A home that is damp, unsafe or not suitable; `transportation-insecurity` Getting about; `educational-attainment` Education; `digital-access` A device or the internet; `digital-literacy` Using a device or the internet; `language-access` English or interpreting; `personal-health-literacy` Understanding health information; `caring` Caring for somebody; `parenting` Parenting; `intimate-partner-violence` Abuse by a partner; `elder-abuse` Abuse of an older person; `veteran-status` Served in the armed forces; `other` Something else. These are categories of the SDOH Clinical Care guide (HL7 Gravity) too, under the same code: social-connection, stress, food-insecurity, utility-insecurity, financial-insecurity, employment-status, homelessness, housing-instability, inadequate-housing, transportation-insecurity, educational-attainment, digital-access, digital-literacy, language-access, personal-health-literacy, intimate-partner-violence, elder-abuse, veteran-status.
         * @enum {string}
         */
        Need: "social-connection" | "stress" | "bereavement" | "physical-activity" | "arts-nature" | "volunteering" | "long-term-condition" | "food-insecurity" | "utility-insecurity" | "financial-insecurity" | "benefits-debt" | "employment-status" | "legal" | "homelessness" | "housing-instability" | "inadequate-housing" | "transportation-insecurity" | "educational-attainment" | "digital-access" | "digital-literacy" | "language-access" | "personal-health-literacy" | "caring" | "parenting" | "intimate-partner-violence" | "elder-abuse" | "veteran-status" | "other";
        NewAppointment: {
            /**
             * Format: date-time
             * @description When it is: within a year, and not before the referral was made.
             */
            at: string;
            kind: components["schemas"]["ContactKind"];
            /** @description Where. */
            place?: string | undefined;
            /** @description With whom. You, when left out. */
            by?: string | undefined;
        };
        NewChange: {
            /** @description What has changed, for the other side to read. */
            text: string;
            urgency?: components["schemas"]["Urgency"] | undefined;
        };
        NewContact: {
            /**
             * Format: date-time
             * @description When it was. Now, when left out. Not in the future, and not before the referral was made.
             */
            at?: string | undefined;
            kind: components["schemas"]["ContactKind"];
            /** @description Whether somebody spoke with the person, or met them. */
            reached: boolean;
            /** @description Who tried. You, when left out. */
            by?: string | undefined;
            /** @description What both sides should know of it. */
            note?: string | undefined;
        };
        NewDraft: {
            /** @description The id of a service in the library. */
            service_id?: string | undefined;
            urgency?: components["schemas"]["Urgency"] | undefined;
            patient?: components["schemas"]["DraftPatient"] | undefined;
            referrer?: {
                /** @description The colleague for whom you make the referral. */
                on_behalf_of?: string | undefined;
            } | undefined;
            gp_practice?: components["schemas"]["DraftGpPracticeCode"] | undefined;
            /** @description Why the person is referred. */
            reasons?: components["schemas"]["DraftReason"][] | undefined;
            /** @description What the person needs help with, each at most once. */
            needs?: components["schemas"]["Need"][] | undefined;
            /** @description What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met. */
            goals?: components["schemas"]["DraftGoal"][] | undefined;
            /** @description The reasonable adjustments that the person needs. The service sees them first. */
            reasonable_adjustments?: components["schemas"]["ReasonableAdjustment"][] | undefined;
            episode?: components["schemas"]["Episode"] | undefined;
            source?: components["schemas"]["ReferralSource"] | undefined;
            method?: components["schemas"]["ReferralMethod"] | undefined;
            /** @description What matters to the person. */
            what_matters?: string | undefined;
            /** @description What staff must know to keep the person and themselves safe. */
            safety_notes?: string | undefined;
            /** @description Whether the letter to the GP practice has the safety notes. False when left out. */
            safety_notes_for_practice?: boolean | undefined;
            /** @description What has been offered or tried so far. */
            support_offered?: string | undefined;
            risk?: components["schemas"]["Risk"] | undefined;
            risk_acted_on?: components["schemas"]["DraftRiskActedOn"] | undefined;
            contact?: components["schemas"]["DraftSafeContact"] | undefined;
            do_not_show_online?: components["schemas"]["DoNotShowOnline"] | undefined;
            person_page?: components["schemas"]["DraftSendPersonPage"] | undefined;
            agreement?: components["schemas"]["DraftAgreement"] | undefined;
            fit_override?: components["schemas"]["DraftAnsweringFitOverride"] | undefined;
            mismatch_override?: components["schemas"]["DraftMismatchOverride"] | undefined;
            namesake_override?: components["schemas"]["DraftNamesakeOverride"] | undefined;
            contact_override?: components["schemas"]["DraftContactOverride"] | undefined;
            urgency_override?: components["schemas"]["DraftUrgencyOverride"] | undefined;
            death_override?: components["schemas"]["DraftDeathOverride"] | undefined;
            /**
             * Format: date-time
             * @description When the referral was taken on paper, if it is typed in later, for example because the site was away. In the past, and at most 31 days ago (a site can set another number). Due dates count from then.
             */
            made_at?: string | undefined;
            /** @description What the GP practice has to do. An empty list says that there is nothing; left out, it is shown as not asked. What was said with the referral does not answer for its end. */
            gp_actions?: components["schemas"]["DraftNewGpAction"][] | undefined;
            consent?: components["schemas"]["DraftConsent"] | undefined;
            /**
             * Format: uuid
             * @description The id of a referral of yours that was unsuccessful (rejected, failed or cancelled), which this one replaces. Then `agreement` is required if others had agreed to that one, or for a child, and what was not to be shown online stays so unless `do_not_show_online` is false.
             */
            reroutes?: string | undefined;
            /** @description Make the referral although the person has an open one to this service. */
            allow_duplicate?: boolean | undefined;
            /**
             * @description Keeps it for your organisation alone, to be changed and sent later.
             * @constant
             */
            status: "draft";
        };
        NewFileRemoval: {
            reason: components["schemas"]["NewFileRemovalReason"];
        };
        NewFileRemovalReason: {
            code: components["schemas"]["FileRemovalReasonCode"];
            /** @description The reason in words, for both sides to read; needed with `other`. It must not say who the other person is. */
            text?: string | undefined;
        };
        NewGpAction: {
            /** @description What the practice is asked to do. */
            text: string;
            /**
             * Format: date
             * @description By when. Today or later, and within 100 years.
             */
            by_date?: string | undefined;
            /** @description Who asks, with a telephone number. You and your organisation, when left out. */
            asked_by?: string | undefined;
            /** @description Whether the person knows that the practice is asked. */
            patient_told?: boolean | undefined;
        };
        NewMeasure: {
            code: components["schemas"]["MeasureCode"];
            stage: components["schemas"]["MeasureStage"];
            /** @description Whole numbers in the range of each measure: `ons4-life-satisfaction` 0 to 10, `ons4-worthwhile` 0 to 10, `ons4-happiness` 0 to 10, `ons4-anxiety` 0 to 10, `ucla-3` 3 to 9, `loneliness-direct` 1 to 5, `swemwbs` 7 to 35, `wemwbs` 14 to 70, `pam-level` 1 to 4, `mycaw` 0 to 6. The metric scores of SWEMWBS have decimals. */
            value: number;
            /**
             * Format: date-time
             * @description When it was taken. Now, when left out. Not in the future, and at most a year ago.
             */
            taken_at?: string | undefined;
            by: components["schemas"]["Measurer"];
            mode?: components["schemas"]["MeasureMode"] | undefined;
        };
        NewMeasures: {
            /** @description What was measured, each at most once a stage. */
            measures: components["schemas"]["NewMeasure"][];
        };
        NewMessage: {
            /** @description For the other side to read. */
            text: string;
        };
        NewOpening: {
            /** @description Why it has to be looked at. The referrer’s organisation reads it. A few words that a colleague would understand. */
            reason: string;
        };
        NewOutcome: {
            code: components["schemas"]["OutcomeCode"];
            /** @description What came of it for the person. */
            text: string;
            /** @description What was measured, each at most once a stage. */
            measures?: {
                code: components["schemas"]["MeasureCode"];
                stage: components["schemas"]["MeasureStage"];
                /** @description Whole numbers in the range of each measure: `ons4-life-satisfaction` 0 to 10, `ons4-worthwhile` 0 to 10, `ons4-happiness` 0 to 10, `ons4-anxiety` 0 to 10, `ucla-3` 3 to 9, `loneliness-direct` 1 to 5, `swemwbs` 7 to 35, `wemwbs` 14 to 70, `pam-level` 1 to 4, `mycaw` 0 to 6. The metric scores of SWEMWBS have decimals. */
                value: number;
            }[] | undefined;
        };
        NewReferral: {
            /** @description The id of a service in the library. */
            service_id: string;
            urgency?: components["schemas"]["Urgency"] | undefined;
            patient: components["schemas"]["Patient"];
            referrer?: {
                /** @description The colleague for whom you make the referral. */
                on_behalf_of?: string | undefined;
            } | undefined;
            gp_practice?: components["schemas"]["GpPracticeCode"] | undefined;
            /** @description Why the person is referred. */
            reasons: components["schemas"]["Reason"][];
            /** @description What the person needs help with, each at most once. */
            needs?: components["schemas"]["Need"][] | undefined;
            /** @description What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met. */
            goals?: components["schemas"]["Goal"][] | undefined;
            /** @description The reasonable adjustments that the person needs. The service sees them first. */
            reasonable_adjustments?: components["schemas"]["ReasonableAdjustment"][] | undefined;
            episode?: components["schemas"]["Episode"] | undefined;
            source?: components["schemas"]["ReferralSource"] | undefined;
            method?: components["schemas"]["ReferralMethod"] | undefined;
            /** @description What matters to the person. */
            what_matters?: string | undefined;
            /** @description What staff must know to keep the person and themselves safe. */
            safety_notes?: string | undefined;
            /** @description Whether the letter to the GP practice has the safety notes. False when left out. */
            safety_notes_for_practice?: boolean | undefined;
            /** @description What has been offered or tried so far. */
            support_offered?: string | undefined;
            risk?: components["schemas"]["Risk"] | undefined;
            risk_acted_on?: components["schemas"]["RiskActedOn"] | undefined;
            contact?: components["schemas"]["SafeContact"] | undefined;
            do_not_show_online?: components["schemas"]["DoNotShowOnline"] | undefined;
            person_page?: components["schemas"]["SendPersonPage"] | undefined;
            agreement?: components["schemas"]["Agreement"] | undefined;
            fit_override?: components["schemas"]["AnsweringFitOverride"] | undefined;
            mismatch_override?: components["schemas"]["MismatchOverride"] | undefined;
            namesake_override?: components["schemas"]["NamesakeOverride"] | undefined;
            contact_override?: components["schemas"]["ContactOverride"] | undefined;
            urgency_override?: components["schemas"]["UrgencyOverride"] | undefined;
            death_override?: components["schemas"]["DeathOverride"] | undefined;
            /**
             * Format: date-time
             * @description When the referral was taken on paper, if it is typed in later, for example because the site was away. In the past, and at most 31 days ago (a site can set another number). Due dates count from then.
             */
            made_at?: string | undefined;
            /** @description What the GP practice has to do. An empty list says that there is nothing; left out, it is shown as not asked. What was said with the referral does not answer for its end. */
            gp_actions?: components["schemas"]["NewGpAction"][] | undefined;
            consent: components["schemas"]["Consent"];
            /**
             * Format: uuid
             * @description The id of a referral of yours that was unsuccessful (rejected, failed or cancelled), which this one replaces. Then `agreement` is required if others had agreed to that one, or for a child, and what was not to be shown online stays so unless `do_not_show_online` is false.
             */
            reroutes?: string | undefined;
            /** @description Make the referral although the person has an open one to this service. */
            allow_duplicate?: boolean | undefined;
            /**
             * @description Sends it at once, as when it is left out.
             * @constant
             */
            status?: "requested" | undefined;
        };
        /** @description The service, as HSDS has it. */
        NewService: {
            id?: string | undefined;
            organization_id?: string | undefined;
            program_id?: string | undefined;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            url?: string | undefined;
            email?: string | undefined;
            status: components["schemas"]["ServiceStatus"];
            interpretation_services?: string | undefined;
            application_process?: string | undefined;
            fees_description?: string | undefined;
            wait_time?: string | undefined;
            fees?: string | undefined;
            accreditations?: string | undefined;
            eligibility_description?: string | undefined;
            minimum_age?: number | undefined;
            maximum_age?: number | undefined;
            assured_date?: string | undefined;
            assurer_email?: string | undefined;
            licenses?: string | undefined;
            alert?: string | undefined;
            last_modified?: string | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            schedules?: components["schemas"]["HsdsSchedule"][] | undefined;
            service_areas?: components["schemas"]["HsdsServiceArea"][] | undefined;
            service_at_locations?: components["schemas"]["HsdsServiceAtLocation"][] | undefined;
            languages?: components["schemas"]["HsdsLanguage"][] | undefined;
            organization?: components["schemas"]["HsdsOrganization"] | undefined;
            funding?: components["schemas"]["HsdsFunding"][] | undefined;
            cost_options?: components["schemas"]["HsdsCostOption"][] | undefined;
            program?: components["schemas"]["HsdsProgram"] | undefined;
            required_documents?: components["schemas"]["HsdsRequiredDocument"][] | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
        };
        NewTrouble: {
            kind: components["schemas"]["TroubleKind"];
            /** @description On how many calls it is played. One when left out. */
            calls?: number | undefined;
            /** @description Plays it only on calls of this operation, such as `createReferral`. On any when left out, except `refreshToken`, which has to be named. */
            operation_id?: string | undefined;
            /** @description For too-many-requests, unavailable, slow: what Retry-After says in seconds, or how long the answer is held back. 5 when left out. */
            retry_after?: number | undefined;
        };
        NewWebhook: {
            /**
             * Format: uri
             * @description The https address that events are posted to. A test site also accepts one on your own computer.
             */
            url: string;
            /** @description The types of event that it receives; `*` for all, including those of later versions. A type that this site does not know yet is accepted, and has no effect until the site knows it. All when left out. */
            event_types?: string[] | undefined;
            /** @description A note for yourself. */
            description?: (string | null) | undefined;
        };
        NewWebhookSecret: {
            /** @description With it you check that a call is from this site. It is shown only here, and begins with whsec_. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then, calls are signed with the previous secret too.
             */
            previous_secret_until: string;
        };
        Opening: {
            id: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            ends_at: string;
            by: {
                name: string;
            };
            reason: string;
        };
        OpeningPage: {
            items: components["schemas"]["Opening"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @description Why. A few words that a colleague would understand. It is kept when all else is gone, so it must not name the person. */
        OperatorReason: string;
        /** @enum {string} */
        OptOutDecision: "not_opted_out" | "does_not_apply";
        /** @description An organisation with its active services, which are in short unless `full_service` is true: the fields are those of HSDS 3.0 (https://docs.openreferral.org/). */
        Organization: {
            id: string;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            email?: string | undefined;
            website?: string | undefined;
            tax_status?: string | undefined;
            tax_id?: string | undefined;
            year_incorporated?: number | undefined;
            legal_status?: string | undefined;
            logo?: string | undefined;
            uri?: string | undefined;
            parent_organization_id?: string | undefined;
            funding?: components["schemas"]["HsdsFunding"][] | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            locations?: components["schemas"]["HsdsLocation"][] | undefined;
            programs?: components["schemas"]["HsdsProgram"][] | undefined;
            organization_identifiers?: components["schemas"]["HsdsOrganizationIdentifier"][] | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            services?: (components["schemas"]["ServiceName"] | components["schemas"]["Service"])[] | undefined;
        };
        /** @description A page of organisations. */
        OrganizationPage: {
            /** @description How many organisations fit. */
            total_items: number;
            /** @description How many pages they fill. */
            total_pages: number;
            /** @description Which page this is, from 1. */
            page_number: number;
            /** @description How many organisations are on this page. */
            size: number;
            first_page: boolean;
            last_page: boolean;
            /** @description True where the page has no organisations, as past the end. */
            empty: boolean;
            contents: (components["schemas"]["OrganizationSummary"] | components["schemas"]["Organization"])[];
        };
        OrganizationSummary: {
            id: string;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            email?: string | undefined;
            website?: string | undefined;
            tax_status?: string | undefined;
            tax_id?: string | undefined;
            year_incorporated?: number | undefined;
            legal_status?: string | undefined;
            logo?: string | undefined;
            uri?: string | undefined;
            parent_organization_id?: string | undefined;
        };
        Outcome: {
            code: components["schemas"]["OutcomeCode"];
            /** @description What came of it for the person. */
            text: string;
            /** @description What was measured, each at most once a stage. */
            measures?: {
                code: components["schemas"]["MeasureCode"];
                stage: components["schemas"]["MeasureStage"];
                /** @description Whole numbers in the range of each measure: `ons4-life-satisfaction` 0 to 10, `ons4-worthwhile` 0 to 10, `ons4-happiness` 0 to 10, `ons4-anxiety` 0 to 10, `ucla-3` 3 to 9, `loneliness-direct` 1 to 5, `swemwbs` 7 to 35, `wemwbs` 14 to 70, `pam-level` 1 to 4, `mycaw` 0 to 6. The metric scores of SWEMWBS have decimals. */
                value: number;
            }[] | undefined;
        };
        /** @description A short code: one of goals-met, goals-partly-met, goals-not-met, referred-on, ended-early, other, which pages say in words; or a code of your own, such as of SNOMED CT, which is kept and shown as it is. */
        OutcomeCode: ("goals-met" | "goals-partly-met" | "goals-not-met" | "referred-on" | "ended-early" | "other") | (string & {});
        /** @description The person who is referred. */
        Patient: {
            /** @description Ten digits. You may send them in groups, 999 000 0018; the answer has no spaces. A test site takes only numbers that begin with 999. */
            nhs_number?: string | undefined;
            /** @description Such as Mr, Mrs, Mx or Dr. */
            title?: string | undefined;
            /** @description First name or names. */
            given_name: string;
            /** @description Last name. */
            family_name: string;
            /** Format: date */
            birth_date: string;
            gender?: components["schemas"]["Gender"] | undefined;
            /** @description As the person describes it. */
            ethnicity?: string | undefined;
            ethnic_category?: components["schemas"]["EthnicCategory"] | undefined;
            address: components["schemas"]["Address"];
            telephone?: string | undefined;
            /** Format: email */
            email?: string | undefined;
            /** @description How the person would like to be contacted, such as telephone or letter. */
            preferred_contact?: string | undefined;
            communication_needs?: components["schemas"]["CommunicationNeeds"] | undefined;
            carer?: components["schemas"]["Carer"] | undefined;
        };
        /** @description Everything that a site holds about one person. */
        PatientRecord: {
            /** @constant */
            version: 1;
            /** Format: date-time */
            exported_at: string;
            site: {
                name: string;
                address: string;
                data_controller: string | null;
            };
            /** @description Oldest first. Empty where the site holds none. */
            referrals: {
                referral: components["schemas"]["Referral"];
                history: components["schemas"]["HistoryEntry"][];
                /** @description What one side told the other of changes. */
                things_have_changed: components["schemas"]["ReportedChange"][];
                messages: components["schemas"]["Message"][];
                /** @description What each organisation wrote for itself. */
                private_notes: {
                    id: string;
                    /** Format: date-time */
                    at: string;
                    by: components["schemas"]["Author"];
                    text: string;
                }[];
                attachments: components["schemas"]["Attachment"][];
                /** @description Operators who looked inside, and why. */
                openings: components["schemas"]["Opening"][];
                restrictions: {
                    /** Format: date-time */
                    at: string;
                    by: {
                        name: string;
                    };
                    reason: string;
                    lifted: {
                        /** Format: date-time */
                        at: string;
                        by: {
                            name: string;
                        };
                        reason: string;
                    } | null;
                }[];
                /** @description When nothing of it was to be erased, and why. */
                legal_holds: {
                    /** Format: date-time */
                    at: string;
                    by: {
                        name: string;
                    };
                    reason: string;
                    lifted: {
                        /** Format: date-time */
                        at: string;
                        by: {
                            name: string;
                        };
                        reason: string;
                    } | null;
                }[];
                /** @description The links to a page of their own. */
                person_pages: {
                    /** Format: date-time */
                    sent_at: string;
                    by: {
                        name: string;
                    };
                    email: string | null;
                    telephone?: string | undefined;
                    /** Format: date-time */
                    opened_at: string | null;
                    /** Format: date-time */
                    ended_at: string | null;
                    end_reason: components["schemas"]["PersonPageEnd"] | null;
                }[];
                /** @description What the person said on their page. */
                person_answers: {
                    /** Format: date-time */
                    at: string;
                    answer: components["schemas"]["PersonAnswer"];
                }[];
                /** @description Who was told of the referral, and how. */
                deliveries: components["schemas"]["Delivery"][];
                /** @description What the person sent to refer themselves, and the calls to them, for 30 days after the draft was made. */
                self_referrals?: components["schemas"]["RecordSelfReferral"][] | undefined;
                /** @description Who read or changed the referral, and when, oldest first. */
                audit: components["schemas"]["RecordAuditEntry"][];
            }[];
            /**
             * @description What the reviewer left out, as far as the person may be told.
             * @example [
             *       {
             *         "referral": "K7M2Q-X4R9D",
             *         "what": "A message",
             *         "how": "held_back",
             *         "because": "third_party"
             *       }
             *     ]
             */
            left_out: {
                /** @description The reference of the referral; null for words that are covered everywhere. */
                referral: string | null;
                what: string;
                how: components["schemas"]["LeftOutHow"];
                because: components["schemas"]["LeftOutBecause"];
            }[];
        };
        Person: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        PersonAnswer: ("got-help" | "did-not-get-help" | "no-longer-wanted") | (string & {});
        /** @description The person’s own page, and what they said there. Missing if nobody asked whether it is safe. */
        PersonPage: {
            /** @description Whether the link was asked for. With `sent_at` null, none was sent: it may not be safe now. Ask the person how to contact them safely. */
            send: boolean;
            /**
             * Format: date-time
             * @description When the link was asked for. It is sent unless another record makes it unsafe, which this site does not say: ask the person whether it came.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When somebody first opened it with a code.
             */
            opened_at: string | null;
            /**
             * Format: date-time
             * @description When its links were ended.
             */
            ended_at: string | null;
            /** @description What the person said last on their page. */
            got_help: boolean | null;
            /** Format: date-time */
            got_help_at: string | null;
            /**
             * Format: date-time
             * @description When the person said that they no longer want the referral. Staff contact them to make sure.
             */
            no_longer_wanted_at: string | null;
        };
        PersonPageEnd: ("staff" | "person" | "sent-again" | "died" | "restricted" | "agreement-changed" | "things-have-changed" | "no-longer-safe" | "withdrawn") | (string & {});
        PersonSearch: {
            /** @description Ten digits. You may send them in groups, 999 000 0018; the answer has no spaces. A test site takes only numbers that begin with 999. */
            nhs_number?: string | undefined;
            /** @description Last name. */
            family_name?: string | undefined;
            /** Format: date */
            birth_date?: string | undefined;
            /** @description Such as HR1 2BN. */
            postcode?: string | undefined;
            /** @description Why you look for the person. Operators must send it, others need not. A few words that a colleague would understand. It is kept in the audit with what was found, so it must not name the person. */
            reason?: string | undefined;
            /** @description The most items to return. The default is 50. */
            limit?: number | undefined;
            /** @description The next_cursor of the last answer. */
            cursor?: string | undefined;
        };
        PlaceLegalHoldBody: {
            reason: components["schemas"]["OperatorReason"];
        };
        /**
         * @description What it is the middle of: the postcode, or, where the site does not know that, its sector or district. `point` is a latitude and longitude as they were sent.
         * @enum {string}
         */
        PlacePrecision: "point" | "postcode" | "sector" | "district";
        /** @enum {string} */
        PlaceType: "physical" | "postal" | "virtual";
        /** @description Where a postcode is. */
        Postcode: {
            /** @description In its written form: capital letters and one space. */
            postcode: string;
            /** @description The postcode without its last two letters: some thousands of homes. */
            sector: string;
            /** @description Its first half: a town, or a part of one. */
            district: string;
            /** @description In degrees (WGS 84). */
            latitude: number;
            /** @description In degrees (WGS 84). */
            longitude: number;
            precision: components["schemas"]["PostcodePrecision"];
        };
        /**
         * @description How exact the place is: `postcode` is the middle of the postcode itself. The site does not know every postcode; then it is the middle of those that it knows in its `sector`, some hundred metres to some miles away, or in its `district`, which may be further.
         * @enum {string}
         */
        PostcodePrecision: "postcode" | "sector" | "district";
        /** @description A GP practice. */
        Practice: {
            /** @description Its code of the Organisation Data Service: send it with a referral. */
            ods_code: string;
            name: string;
            address: string | null;
            /** @description Its town or county, as the published list has it. */
            city: string | null;
            postcode: string | null;
            latitude: number | null;
            longitude: number | null;
            phone: string | null;
            /**
             * Format: date
             * @description The day on which it closed, or will close; null if none is known. From that day on it is refused for new referrals.
             */
            closed_on: string | null;
            /** @description The channels by which it is told of referrals, in the order in which they are tried. */
            channels: string[];
        };
        PracticeChannel: ("email" | "mesh" | "document") | (string & {});
        /** @enum {string} */
        PrintSize: "normal" | "large";
        Problem: {
            /** @description The address of the page that explains this kind of problem. */
            type: string;
            title: string;
            status: number;
            code: components["schemas"]["ProblemCode"];
            /** @description What happened this time, and what to do. */
            detail: string;
            /** @description Give this to the operator: it finds the request in the site’s log. */
            request_id: string;
            errors?: {
                /** @description Where: a JSON pointer into the body, or /query/name, /headers/name. */
                pointer: string;
                message: string;
            }[] | undefined;
            /** @description With `risk-not-acted-on`: whom to call first. */
            emergency_number?: string | undefined;
            /** @description With `does-not-fit`: what to send in `fit_override.misfits`, so that the reason counts for these errors alone. */
            misfits?: string[] | undefined;
            /** @description With `events-gone`: the oldest event that is left; null if there is none. */
            oldest_id?: (string | null) | undefined;
            /** @description Its reference, for people. */
            reference?: string | undefined;
            /** @description The referral that stands in the way. With `possible-duplicate` and `death-reported`, if you may see it. */
            referral_id?: string | undefined;
            /**
             * Format: date-time
             * @description With `death-reported`: when somebody told it.
             */
            reported_at?: string | undefined;
            /** @description With `risk-not-acted-on`: whom to tell of a child or adult at risk. */
            safeguarding_contact?: (string | null) | undefined;
            /** @description With `does-not-fit`: where to ask the service whether it makes an exception. */
            service_telephone?: (string | null) | undefined;
        } & {
            [key: string]: unknown;
        };
        /** @description What went wrong, for programs: the last part of `type`. It never changes. */
        ProblemCode: ("address-not-allowed" | "api-access-disabled" | "bad-request" | "cannot-be-retried" | "cannot-refer" | "copy-not-reviewed" | "death-reported" | "does-not-fit" | "events-gone" | "forbidden" | "idempotency-key-reused" | "insufficient-scope" | "internal-error" | "invalid-refresh-token" | "invalid-token" | "invalid-token-request" | "list-full" | "list-name-taken" | "message-not-read" | "method-not-allowed" | "missing-token" | "needs-person" | "no-mail-server" | "no-story" | "not-found" | "nothing-to-do" | "person-mismatch" | "possible-duplicate" | "referral-erased" | "referral-held" | "referral-restricted" | "refers-themselves" | "risk-not-acted-on" | "service-exists" | "service-has-referrals" | "still-in-progress" | "too-large" | "too-many-lists" | "too-many-requests" | "too-many-webhooks" | "unavailable" | "unknown-event" | "unprocessable" | "unsupported-media-type" | "version-missing" | "version-stale" | "wrong-state") | (string & {});
        Prompt: {
            id: string;
            kind: components["schemas"]["PromptKind"];
            side: components["schemas"]["PromptSide"];
            /** @description The person who was told by email and looks after it; null for the operators. */
            owner: {
                name: string;
            } | null;
            /** Format: date-time */
            since: string;
            /**
             * Format: date
             * @description Somebody rings the person by the end of this day because of what the person said, or confirms that somebody has acted on a risk; null for everything else.
             */
            due_on: string | null;
        };
        PromptDismissal: {
            /** @description What was done, in a few words that a colleague would understand: needed for `alarming-answer` and `risk-to-act-on`, and only for them. Both sides read it in the history. */
            reason?: string | undefined;
        };
        /** @description `service-closed`: the service has closed, or is closed for now. `service-stopped`: the service takes no more referrals on this site. `service-moved`: another organisation runs it, whose staff cannot see the referral. `service-sensitive`: it was marked as sensitive after the person was referred, so the person has to be asked again. `practice-closed`: the GP practice has closed. `referrer-left`: the person who made the referral no longer works there. `staff-left`: the one of the service who looked after it no longer works there. `nobody-left`: none of the service’s staff can sign in any more, so nobody there can answer; for the referrer too, to know. `may-have-died`: the person’s death was reported in another referral, before this one was made or again after it was taken back; shown to staff of the service if it was told of that, and otherwise to operators alone. `death-reported`: somebody told that the person has died, and nobody has settled it. `draft-waiting`: a draft was not sent for five working days, or its maker has left. `person-wants-to-stop`: the person said on their own page that they no longer want it. `person-not-helped`: the person said on their own page that they did not get help. `alarming-answer`: a measure is in the worst band, or worse by 3 than at the start. `end-measure-due`: the end was not measured. `service-asks-to-ring`: somebody of the service asked, by the link in its email, to be rung. `service-not-told`: no message to the service arrived. `nhs-number-not-recognised`: the NHS message exchange did not recognise the NHS number on a letter. `not-their-patient`: the GP practice answered that the person is not its patient, or has left it. `practice-missing`: an operator asked which GP practice gets the copy, because none is named. `risk-to-act-on`: somebody is at risk of harm, the text has words of a crisis, or contact is not safe: somebody of the referrer’s side confirms that somebody has acted. */
        PromptKind: ("service-closed" | "service-stopped" | "service-moved" | "service-sensitive" | "practice-closed" | "referrer-left" | "staff-left" | "nobody-left" | "may-have-died" | "death-reported" | "draft-waiting" | "person-wants-to-stop" | "person-not-helped" | "alarming-answer" | "end-measure-due" | "service-asks-to-ring" | "service-not-told" | "nhs-number-not-recognised" | "not-their-patient" | "practice-missing" | "risk-to-act-on") | (string & {});
        /**
         * @description Who looks after it: one of the two sides, or the operators of the site.
         * @enum {string}
         */
        PromptSide: "provider" | "referrer" | "operators";
        Reason: {
            /** @description In your own words. */
            text: string;
            /** @description A SNOMED CT code. */
            code?: string | undefined;
        };
        /**
         * @description What makes it possible for the person to use the service.
         * @enum {string}
         */
        ReasonableAdjustment: "carer-present" | "advocate" | "reminders" | "written-information" | "hearing" | "vision" | "communication-aid" | "wheelchair" | "low-noise" | "low-light" | "same-gender-staff" | "longer-appointment" | "time-to-decide" | "home-visit" | "first-or-last-appointment" | "anxiety" | "not-left-alone";
        RecordAuditEntry: {
            /** Format: date-time */
            at: string;
            by: {
                name: string;
                role: string | null;
                organisation: string | null;
            };
            /** @description A noun and a verb, such as referral.read. */
            action: string;
            /** @description done or refused. */
            outcome: string;
        };
        /** @description A copy of a person’s record, which is handed out once a named person has reviewed it. */
        RecordCopy: {
            id: string;
            /** @description For people to say and write. */
            reference: string;
            status: components["schemas"]["CopyStatus"];
            reason: string;
            purpose: components["schemas"]["CopyPurpose"];
            opt_out: {
                decision: components["schemas"]["OptOutDecision"];
                because: string;
            } | null;
            /** @description How many referrals and drafts are in it. */
            referrals: number;
            /** @description Whether the record has changed since it was packed: pack it again if that matters. */
            changed: boolean;
            packed: {
                /** Format: date-time */
                at: string;
                by: {
                    name: string;
                };
            };
            reviewed: {
                /** Format: date-time */
                at: string;
                by: {
                    name: string;
                };
            } | null;
            /** @description The first time. */
            handed_out: {
                /** Format: date-time */
                at: string;
                by: {
                    name: string;
                };
            } | null;
            /**
             * Format: date-time
             * @description When the record in the copy is deleted.
             */
            delete_at: string;
            /**
             * Format: uri
             * @description The page on which operators review it.
             */
            review_at: string;
        };
        /**
         * @description Records of mental health care are kept for 20 years after the last entry, others for 8. Left out, it stays as it is. Only an operator sets it from `mental_health` back to `general`, and gives a `retention_reason`.
         * @enum {string}
         */
        RecordKind: "general" | "mental_health";
        RecordSelfReferral: {
            /** Format: date-time */
            sent_at: string;
            given_name: string;
            family_name: string;
            telephone: string;
            /** @description Whether it was safe to ring: yes or only_at. */
            safe: string;
            only_at?: string | undefined;
            voicemail: boolean;
            postcode?: string | undefined;
            about?: string | undefined;
            calls: {
                /** Format: date-time */
                at: string;
                by: {
                    name: string;
                };
                reached: boolean;
                note: string;
            }[];
        };
        /** @description A referral of one person to one service. */
        Referral: {
            id: string;
            /** @description For people to say and write. Its last character is a check character, which shows a reading mistake. */
            reference: string;
            /** @description Null in a draft that names none yet, and where `service.name` is “A restricted service”: operators, and colleagues of the person who made a referral, learn which sensitive service it goes to once they open it with a reason. Until then the reasons, needs, goals, what matters, safety notes, support, contacts, appointments and measures are missing, and no text of a message, nor any file, is shown. */
            service_id: string | null;
            service: {
                name: string;
                organization_id: string | null;
                organization_name: string | null;
            } | null;
            status: components["schemas"]["ReferralStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            /** @description Grows with every change of the status and of what was referred: the person, the need, the agreement, the safety notes; and when a file is removed. It does not grow with a contact, an appointment, a measure, a message, a file, a task that the practice has done, `seen_to`, a restriction, a legal hold, an erasure, who has seen it, or what became of its deliveries. The ETag begins with it, and `If-Match` compares it. */
            version: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed: its status or what it says, a restriction, a legal hold, an erasure, a message, a file, that a task of the practice was done, or `seen_to`. `updated_after` finds it by this. It does not move with `seen`, `prompts`, `overdue`, `rerouted_to`, `referred_again` or `deliveries`: events tell what became of deliveries, and the rest follows from other referrals, from looking at it, or from the date.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it was sent; null in a draft.
             */
            requested_at: string | null;
            /**
             * Format: date-time
             * @description When the service should have answered, counted in working days.
             */
            due_at: string | null;
            /**
             * Format: date
             * @description The last day for what comes next in an open referral: the answer; once accepted, the first contact; on the waiting list, the check that it is still safe to wait; in progress, news. It is a working day in England: where the days end on a weekend or bank holiday, the one before. Every change of the status or of the wait, and every contact in which the person was reached, sets a new date; in progress, or after the first contact, a message of the service does too.
             */
            next_date: string | null;
            /** @description Open, and due_at (not answered yet) or next_date (accepted) has passed. */
            overdue: boolean;
            seen: components["schemas"]["WhoAndWhen"] | null;
            /**
             * Format: date-time
             * @description When staff of the service first reached the person; null until they log such a contact.
             */
            first_contact_at: string | null;
            /**
             * Format: date
             * @description On the waiting list: when a place is expected.
             */
            expected_date: string | null;
            /** @description The referral that this one replaces; null for staff of the service. */
            reroutes: string | null;
            /** @description The referral that replaces this one; null for staff of the service. */
            rerouted_to: string | null;
            /** @description Whether your organisation has referred the person again, to any service, since this was unsuccessful; false for staff of the service. */
            referred_again: boolean;
            /** @description When your organisation said that the person was helped in another way; null for staff of the service. */
            seen_to: components["schemas"]["WhoAndWhen"] | null;
            /** @description Other open referrals to the service, by any referrer, that may be of the same person: the same NHS number, or the same name and birth date where only one of them has a number. For staff of the service; null for all others. */
            possible_duplicates: {
                id: string;
                reference: string;
            }[] | null;
            /** @description Other open referrals to the service with the same last name and birth date, or NHS number, and another first name: they may be of a twin. Compare the first name before you contact anybody. For staff of the service; null for all others. */
            possible_twins: {
                id: string;
                reference: string;
            }[] | null;
            /** @description Other open referrals of the person with another answer in `contact`: show them beside it, those that are `stricter` before it. For staff of the service, those to their organisation, by any referrer, and `ring_first` where the organisation that made this one gave a more careful answer to somebody else; for the referrer’s side, those that its own organisation made, to any service. All but `stricter` is null where the record is restricted; of a referral to a service that the caller may not know they learn only `ring_first`, and that only if its answer is stricter. Null for all others. */
            contact_elsewhere: components["schemas"]["ContactElsewhere"][] | null;
            /** @description What this referral relied on and has lost, or what somebody has to look into, in some cases also after its end, until they have dealt with it: for each side its own, and for operators all. It is empty nearly always. */
            prompts: components["schemas"]["Prompt"][];
            /** @description Somebody told that the person has died, and nobody has confirmed it for this referral yet: nothing is sent about it meanwhile. For the two sides. */
            death_reported: {
                /** Format: date-time */
                at: string;
                /** @description Who told it, in the words of the person who reported it here. */
                told_by: string;
                /** Format: date */
                date: string | null;
                /** @description Who reported it on this site, if that was somebody of one of the two sides. Null if it was another organisation, which is not named here. */
                reported_by: {
                    name: string;
                    organisation: string | null;
                } | null;
                /** @description Whether you may take it back with `…/died/undo`. */
                may_undo: boolean;
            } | null;
            /** @description The person asked that nobody works with it: it says nothing more, and cannot be changed. */
            restricted: boolean;
            /** @description It is on legal hold: nothing erases it. Keep your own papers and copies, too. */
            held: boolean;
            /**
             * Format: date-time
             * @description When what it said was erased; its reference, service, status and dates are left.
             */
            erased_at: string | null;
            urgency: components["schemas"]["Urgency"];
            /** @description True on a test site. */
            simulated: boolean;
            patient?: components["schemas"]["KnownPatient"] | undefined;
            referrer?: components["schemas"]["Referrer"] | undefined;
            gp_practice: components["schemas"]["GpPractice"] | null;
            /** @description Why the person is referred. */
            reasons?: components["schemas"]["KnownReason"][] | undefined;
            /** @description What the person needs help with, each at most once. */
            needs?: components["schemas"]["KnownNeed"][] | undefined;
            /** @description What the person wants to change. The letter to the GP practice has the goals, at the end as met, partly met or not met. */
            goals?: components["schemas"]["KnownGoal"][] | undefined;
            /** @description The reasonable adjustments that the person needs. The service sees them first. */
            reasonable_adjustments?: components["schemas"]["KnownReasonableAdjustment"][] | undefined;
            episode?: components["schemas"]["Episode"] | undefined;
            source?: components["schemas"]["KnownReferralSource"] | undefined;
            method?: components["schemas"]["ReferralMethod"] | undefined;
            what_matters?: string | undefined;
            safety_notes?: string | undefined;
            /** @description Whether the letter to the GP practice has the safety notes. False when left out. */
            safety_notes_for_practice?: boolean | undefined;
            support_offered?: string | undefined;
            risk?: components["schemas"]["KnownRisk"] | undefined;
            risk_acted_on?: {
                who_was_told?: string | undefined;
                /** Format: date-time */
                when?: string | undefined;
            } | undefined;
            /** @description Why the referrer chose the service although the person is outside its ages or area. */
            fit_override?: {
                reason?: string | undefined;
                /** @description Of a draft: what the reason was given for. */
                misfits?: string[] | undefined;
            } | undefined;
            /** @description Why the NHS number is right, although the site knew it with another name or birth date. */
            mismatch_override?: {
                reason?: string | undefined;
            } | undefined;
            /** @description Why the answer in `contact` is right, although another referral by the same organisation asked for more care. */
            contact_override?: {
                reason?: string | undefined;
            } | undefined;
            /** @description Why the referral was sent as routine, although somebody is at risk of serious harm or its text has words of a crisis. */
            urgency_override?: {
                reason?: string | undefined;
            } | undefined;
            /** @description How the referrer knows that the person, who has the name of the referrer’s account, is somebody else. */
            namesake_override?: {
                reason?: string | undefined;
            } | undefined;
            /** @description Why the referrer made it although their organisation was told that the person has died. */
            death_override?: {
                reason?: string | undefined;
            } | undefined;
            contact?: components["schemas"]["KnownSafeContact"] | undefined;
            do_not_show_online?: boolean | undefined;
            person_page?: components["schemas"]["PersonPage"] | undefined;
            agreement?: components["schemas"]["KnownAgreement"] | undefined;
            /**
             * Format: date-time
             * @description When it was taken on paper. Missing if it was made on the site.
             */
            made_at?: string | undefined;
            /** @description What the GP practice has to do, as it was asked with the referral and when it was completed. Null if nobody was asked; empty if there is nothing. */
            gp_actions?: (components["schemas"]["GpAction"][] | null) | undefined;
            /** @description The contacts of the service with the person, and its attempts, by time. Missing if there were none. */
            contacts?: components["schemas"]["Contact"][] | undefined;
            /** @description What was measured while the referral was open, in the order in which it was sent. Missing if nothing was; what was sent with the outcome is in `outcome.measures`. */
            measures?: components["schemas"]["Measure"][] | undefined;
            /** @description Each measure that was taken at the start or the end, also those of the outcome. */
            measure_changes?: components["schemas"]["MeasureChange"][] | undefined;
            address_notice?: components["schemas"]["AddressNotice"] | undefined;
            /** @description Fields of `patient` that a confidential service has replaced, and that you do not read: they are left out, and `contact` says that contact is not safe where it rests on them. Show it first, and use no earlier value: somebody whom the person fears may hold that telephone. Ask the service, or the person who referred. Missing otherwise. */
            changed_by_service?: components["schemas"]["WayToReach"][] | undefined;
            /** @description Appointments of the person with the service, by time. Missing if there were none. The referrer’s side sees no `place` if the service is sensitive, or its place confidential. */
            appointments?: components["schemas"]["Appointment"][] | undefined;
            /** @description The person declines social prescribing altogether. */
            declines_social_prescribing?: boolean | undefined;
            suggested_service?: (components["schemas"]["SuggestedService"] | null) | undefined;
            consent?: components["schemas"]["KnownConsent"] | undefined;
            outcome?: (components["schemas"]["Outcome"] | null) | undefined;
            /** @description What has become of telling the service and the GP practice; more in /api/referrals/{id}/deliveries. */
            deliveries: components["schemas"]["DeliverySummary"][];
            /** @description Only in the answer to an end with the reason `died`: the other open referrals of the person that you may confirm it for, one by one. */
            to_confirm?: {
                id: string;
                reference: string;
                status: components["schemas"]["ReferralStatus"];
            }[] | undefined;
        };
        /** @enum {string} */
        ReferralDirection: "made" | "received";
        /**
         * @description How it was taken: `face-to-face` Face to face; `telephone` By telephone; `video` By video; `email-or-letter` By email or letter; `online` By an online form; `proactive` The person was found by a search of records; `other` In another way.
         * @enum {string}
         */
        ReferralMethod: "face-to-face" | "telephone" | "video" | "email-or-letter" | "online" | "proactive" | "other";
        ReferralOrDraft: components["schemas"]["NewReferral"] | components["schemas"]["NewDraft"];
        ReferralPage: {
            items: components["schemas"]["Referral"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        ReferralSettings: {
            /** @description Whether referrals can be made to the service on this site. */
            accepts: boolean;
            /**
             * @description The channels by which it is told of referrals, in the order in which they are tried: inbox, email, webhook, mesh, document.
             * @example [
             *       "inbox"
             *     ]
             */
            channels: components["schemas"]["Channel"][];
            /** @description Somebody may be hurt for using the service, or ashamed that others know: domestic or sexual abuse, sexual health, drugs and alcohol, gambling, refuges, gender, asylum, HIV. Reports do not name it. Left out, it stays as it is. Only an operator sets it to false for a sensitive service, and gives a `sensitive_reason`; referrals from before then stay as hidden as they were. */
            sensitive?: boolean | undefined;
            /** @description Its location is confidential. This site then keeps none of its places: no answer, feed, map or history has them. The places of its organisation are left out too. Mark every other service that is at the same place. When it becomes false, the next import or edit brings them back. Left out, it stays as it is. Only an operator sets it to false for such a service, and gives a `location_reason`; what the service’s staff entered for referrals from before stays hidden. */
            location_confidential?: boolean | undefined;
            record_kind?: components["schemas"]["RecordKind"] | undefined;
            /** @description A period of the service’s own, in years after the last entry. Null: the period of its kind. On a site that erases by itself it counts only where it is longer than the site’s. Left out, it stays as it is. Only an operator makes it shorter than that of its kind, and gives a `retention_reason`. */
            retention_years?: (number | null) | undefined;
            /** @description Its emails about referrals have a link by which somebody confirms, accepts or declines without an account. `code_email` or `code_telephone` lets them do more. Never for a sensitive service, nor where the site has switched it off. False also ends the links that were sent. Left out, it stays as it is. */
            answer_by_link?: boolean | undefined;
            /**
             * Format: email
             * @description A second mailbox, which does not get the emails with the link to answer. An address that differs only after a plus sign is the same mailbox. A code that is sent to it opens a referral to people without an account: its details, and the steps after the answer. Like each address it is used once it is confirmed. Without one they can only confirm, accept, decline, or ask to be rung. Left out, it stays as it is; null removes it.
             */
            code_email?: (string | null) | undefined;
            /** @description A UK mobile number that gets the codes by text, instead of `code_email` or beside it. Confirmed by a link in a text. */
            code_telephone?: (string | null) | undefined;
            /** @description People may refer themselves on its page in the public directory, where the site has switched that on. Staff ring them before anything is sent. Always false for a sensitive service. Left out, it stays as it is. */
            self_referral?: boolean | undefined;
            /** @description The addresses of the channels that need one. If you leave this out, the addresses stay as they are. */
            addresses?: {
                /** @description The mailbox for letters sent by the channel `email`. Only people who may see the letters should be able to read it. */
                email?: string | undefined;
                /** @description The https address of their own system, for the channel `webhook`. It needs a secret, too. */
                webhook?: string | undefined;
                /** @description Their mailbox at the NHS message exchange, for the channel `mesh`: capital letters and digits. */
                mesh?: string | undefined;
            } | undefined;
            /** @description Who answers the service’s referrals. What you leave out of it is removed. */
            answered_by?: {
                /** @description Who answers: a person, a desk or a team. Null is the organisation that runs the service. */
                name?: (string | null) | undefined;
                /**
                 * Format: email
                 * @description Where they read about new referrals.
                 */
                email?: (string | null) | undefined;
                /** @description Where somebody can ask after a referral. */
                telephone?: (string | null) | undefined;
            } | undefined;
            /** @description Addresses that nothing is sent to before somebody confirms them by an emailed link. */
            unconfirmed_addresses: {
                /** @description Which of `addresses`; `answer_email` is that of `answered_by`, and `code_email` and `code_telephone` those for codes. */
                name: string;
                address: string;
                /** @description Where letters go until it is confirmed; null for nowhere. */
                in_use: string | null;
                link_ends_at: string;
            }[];
            /** @description Null as long as nobody has set them. */
            updated_at: string | null;
        };
        ReferralSettingsChange: {
            /** @description Whether referrals can be made to the service on this site. */
            accepts: boolean;
            /**
             * @description The channels by which it is told of referrals, in the order in which they are tried: inbox, email, webhook, mesh, document.
             * @example [
             *       "inbox"
             *     ]
             */
            channels: components["schemas"]["Channel"][];
            /** @description Somebody may be hurt for using the service, or ashamed that others know: domestic or sexual abuse, sexual health, drugs and alcohol, gambling, refuges, gender, asylum, HIV. Reports do not name it. Left out, it stays as it is. Only an operator sets it to false for a sensitive service, and gives a `sensitive_reason`; referrals from before then stay as hidden as they were. */
            sensitive?: boolean | undefined;
            /** @description Why the service is not sensitive any more. A few words that a colleague would understand. All operators are emailed it. No answer has it. */
            sensitive_reason?: string | undefined;
            /** @description Its location is confidential. This site then keeps none of its places: no answer, feed, map or history has them. The places of its organisation are left out too. Mark every other service that is at the same place. When it becomes false, the next import or edit brings them back. Left out, it stays as it is. Only an operator sets it to false for such a service, and gives a `location_reason`; what the service’s staff entered for referrals from before stays hidden. */
            location_confidential?: boolean | undefined;
            /** @description Why its location is not confidential any more. A few words that a colleague would understand. All operators are emailed it. No answer has it. */
            location_reason?: string | undefined;
            record_kind?: components["schemas"]["RecordKind"] | undefined;
            /** @description A period of the service’s own, in years after the last entry. Null: the period of its kind. On a site that erases by itself it counts only where it is longer than the site’s. Left out, it stays as it is. Only an operator makes it shorter than that of its kind, and gives a `retention_reason`. */
            retention_years?: (number | null) | undefined;
            /** @description Why records are kept for less time than before. A few words that a colleague would understand. The audit keeps it. No answer has it. */
            retention_reason?: string | undefined;
            /** @description Its emails about referrals have a link by which somebody confirms, accepts or declines without an account. `code_email` or `code_telephone` lets them do more. Never for a sensitive service, nor where the site has switched it off. False also ends the links that were sent. Left out, it stays as it is. */
            answer_by_link?: boolean | undefined;
            /**
             * Format: email
             * @description A second mailbox, which does not get the emails with the link to answer. An address that differs only after a plus sign is the same mailbox. A code that is sent to it opens a referral to people without an account: its details, and the steps after the answer. Like each address it is used once it is confirmed. Without one they can only confirm, accept, decline, or ask to be rung. Left out, it stays as it is; null removes it.
             */
            code_email?: (string | null) | undefined;
            /** @description A UK mobile number that gets the codes by text, instead of `code_email` or beside it. Confirmed by a link in a text. */
            code_telephone?: (string | null) | undefined;
            /** @description People may refer themselves on its page in the public directory, where the site has switched that on. Staff ring them before anything is sent. Always false for a sensitive service. Left out, it stays as it is. */
            self_referral?: boolean | undefined;
            /** @description The addresses of the channels that need one. If you leave this out, the addresses stay as they are. */
            addresses?: {
                /** @description The mailbox for letters sent by the channel `email`. Only people who may see the letters should be able to read it. */
                email?: string | undefined;
                /** @description The https address of their own system, for the channel `webhook`. It needs a secret, too. */
                webhook?: string | undefined;
                /** @description Their mailbox at the NHS message exchange, for the channel `mesh`: capital letters and digits. */
                mesh?: string | undefined;
            } | undefined;
            /** @description Who answers the service’s referrals. What you leave out of it is removed. */
            answered_by?: {
                /** @description Who answers: a person, a desk or a team. Null is the organisation that runs the service. */
                name?: (string | null) | undefined;
                /**
                 * Format: email
                 * @description Where they read about new referrals.
                 */
                email?: (string | null) | undefined;
                /** @description Where somebody can ask after a referral. */
                telephone?: (string | null) | undefined;
            } | undefined;
        };
        /**
         * @description Which side told it.
         * @enum {string}
         */
        ReferralSide: "provider" | "referrer";
        /**
         * @description Who asked for the referral: `general-practice` General practice; `community-health` Community health service; `hospital` Hospital; `mental-health` Mental health service; `pharmacy` Pharmacy; `social-care` Social care; `housing` Housing service; `employment` Employment service; `education` School or college; `emergency-service` Police, fire or ambulance; `voluntary-sector` Charity or community group; `family-or-carer` Family or carer; `self` The person themselves; `other` Somebody else.
         * @enum {string}
         */
        ReferralSource: "general-practice" | "community-health" | "hospital" | "mental-health" | "pharmacy" | "social-care" | "housing" | "employment" | "education" | "emergency-service" | "voluntary-sector" | "family-or-carer" | "self" | "other";
        /**
         * @description `requested`, `accepted`, `in-progress` and `on-hold` (on the waiting list) are open. A `draft` was not sent. The others have ended; `rejected`, `failed` and `cancelled` were unsuccessful; with the reason `died` they ended because the person has died, and nobody declined them. The guide says what may follow each.
         * @enum {string}
         */
        ReferralStatus: "draft" | "requested" | "accepted" | "rejected" | "in-progress" | "on-hold" | "completed" | "failed" | "cancelled" | "entered-in-error";
        Referrer: {
            name: string;
            role: string;
            organisation: string | null;
            ods_code: string | null;
            /** @description Such as link worker. */
            job_title?: string | undefined;
            telephone?: string | undefined;
            on_behalf_of?: string | undefined;
        };
        RefreshedToken: {
            /** @constant */
            result: "OK";
            access_token: string;
            /** @description The one you sent: it does not change. */
            refresh_token: string;
            /** Format: date-time */
            valid_to: string;
        };
        /** @description `nhs-number-not-recognised`: the NHS message exchange did not recognise the NHS number with this name and birth date. Check them with the person. The message may have gone another way since, as `channel` and `status` say; null once the receiver has it. `not-their-patient`: the practice has it, and answered that the person is not its patient. It is sent to that practice no other way: ask the person where they are registered, and correct the practice. */
        RefusalCause: ("nhs-number-not-recognised" | "not-their-patient") | (string & {});
        RejectReferralBody: {
            status_reason: {
                code: components["schemas"]["RejectionReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            };
            /** @description The person declines social prescribing altogether, and not this service alone. Only with the reason `client-declined`. The letter to the GP practice then has the code for it (SNOMED CT 871711000000103). */
            declines_social_prescribing?: boolean | undefined;
            /** @description The id of another service that may help the person: one that takes referrals here and is not sensitive. The referrer sees it, and can refer the person there. */
            suggested_service_id?: string | undefined;
        };
        /** @enum {string} */
        RejectionReasonCode: "no-capacity" | "not-eligible" | "out-of-area" | "unsuitable-time" | "transport" | "failed-contact" | "missing-information" | "client-declined" | "other";
        Replay: {
            /**
             * @description Events since the webhook was added that the site gave up sending, or that happened while it was off. Waiting events are not sent twice.
             * @constant
             */
            missed?: true | undefined;
            /**
             * Format: uuid
             * @description All events of its types after the one with this id.
             */
            after?: string | undefined;
            /**
             * Format: uuid
             * @description The event with this id, of any type.
             */
            event_id?: string | undefined;
        };
        Replayed: {
            /** @description How many events are sent again. */
            queued: number;
            /** @description Null when these were all. If not, send `missed` again, or this id as `after`. */
            next_after: string | null;
        };
        ReportDeathAnswer: {
            /** @description The open referrals of the person that you may confirm it for, one by one. */
            referrals: {
                id: string;
                reference: string;
                status: components["schemas"]["ReferralStatus"];
            }[];
        };
        ReportDeathBody: {
            /** @description Who reported it, such as a relative or the ward. */
            told_by: string;
            /**
             * Format: date
             * @description When the person died, if that is known.
             */
            date?: string | undefined;
        };
        ReportFigure: {
            id: components["schemas"]["ReportFigureId"];
            /** @description `all`; or which part of the figure or group of people it is: `percentile:90`, `reason:no-capacity`, `side:service`, `says:person`, `within:5`, `field:risk`, `measure:swemwbs`, `active:services`, `closed-without-contact`, `referred-again:30`, `waiting:28`; `age:18-24`, `gender:female`, `interpreter:true`, `imd:1` (the most deprived fifth) to `imd:5`, `ethnicity:white`, `need:food-insecurity`, `district:HR1`, `service:` with an id. Of `E1` it is the figure that is compared. `service:sensitive` is all sensitive services together, which are in no other figure of the site. */
            stratum: string;
            /** @description The denominator, to the nearest 5. Null for 1 to 7. */
            n: number | null;
            /** @description Null where it is not known yet, rests on fewer than 8, or would reveal a count of 1 to 7. Counts are to the nearest 5, and shares are made from rounded counts. */
            value: number | null;
            /** @description The lower end of the 95 % interval. Null where there is none. */
            low: number | null;
            /** @description Its upper end. */
            high: number | null;
            unit: components["schemas"]["ReportUnit"];
        };
        /** @description Which figure: `A1` referrals sent, `A2` people referred, `A3` referrals per 1,000 registered, `A4` who refers, and to which services, `T1` days to the first answer, `T2` answered in time, `T3` days to the first contact, `T4` days from acceptance to the start, `T5` overdue now, `F1` accepted, `F2` why services declined, `F3` support started, `F4` outcome known, `F5` got help, `F6` second chance, `O1` goals, `O2` change of outcome scores, `O3` moved out of the poor band, `O4` completed with scores before and after, `G1` gP practice told in time, `G2` needed a person, `L1` library up to date, `L2` unmet need, `D1` completeness, `E1` most deprived against least deprived. The guide for operators says what each counts. */
        ReportFigureId: ("A1" | "A2" | "A3" | "A4" | "T1" | "T2" | "T3" | "T4" | "T5" | "F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "O1" | "O2" | "O3" | "O4" | "G1" | "G2" | "L1" | "L2" | "D1" | "E1") | (string & {});
        /** @description Days in London, both included. */
        ReportPeriod: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            to: string;
            /** @description Whether 90 % of the journeys that began in the period have ended, or all are 90 days old. Until then F4 and F5 are null. A journey is a referral and those that replaced it. */
            ripe: boolean;
        };
        ReportSummary: {
            period: components["schemas"]["ReportPeriod"];
            /** @description Groups of people come with whole calendar months that are ripe. Such months stay as they were first published. */
            figures: components["schemas"]["ReportFigure"][];
        };
        /** @description A `share` is from 0 to 1, `days` may have a fraction, a `change` is in points of its measure, a `rate` is for each 1,000 people registered, and a `ratio` is one number divided by another. */
        ReportUnit: ("count" | "share" | "days" | "change" | "rate" | "ratio") | (string & {});
        ReportedChange: {
            id: string;
            /** Format: date-time */
            at: string;
            side: components["schemas"]["ReferralSide"];
            by: components["schemas"]["Author"];
            text: string;
            /** @description The referral became urgent with it. */
            raised_urgency: boolean;
            /** @description Who of the other side confirmed that they read it; null until then. */
            confirmed: components["schemas"]["WhoAndWhen"] | null;
        };
        ReportedChangePage: {
            items: components["schemas"]["ReportedChange"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        RequestReferralBody: {
            /** @description Make the referral although the person has an open one to this service. */
            allow_duplicate?: boolean | undefined;
        };
        Reroute: {
            /** @description The id of a service in the library. */
            service_id: string;
            consent: components["schemas"]["Consent"];
            agreement?: components["schemas"]["Agreement"] | undefined;
            do_not_show_online?: components["schemas"]["DoNotShowOnline"] | undefined;
            person_page?: components["schemas"]["SendPersonPage"] | undefined;
            risk?: components["schemas"]["Risk"] | undefined;
            risk_acted_on?: components["schemas"]["RiskActedOn"] | undefined;
            /** @description What staff must know to keep the person and themselves safe. */
            safety_notes?: string | undefined;
            fit_override?: components["schemas"]["AnsweringFitOverride"] | undefined;
            mismatch_override?: components["schemas"]["MismatchOverride"] | undefined;
            namesake_override?: components["schemas"]["NamesakeOverride"] | undefined;
            death_override?: components["schemas"]["DeathOverride"] | undefined;
            /** @description Make the referral although the person has an open one to this service. */
            allow_duplicate?: boolean | undefined;
        };
        RestrictReferralBody: {
            reason: components["schemas"]["OperatorReason"];
            service_told?: components["schemas"]["ServiceTold"] | undefined;
        };
        RetryDeliveryBody: null | Record<string, never>;
        /**
         * @description Is anybody at risk of serious harm now, or is a child or adult being hurt? With `yes`, act on it first and say so in `risk_acted_on`. `could_not_ask` if you could not ask, for example because somebody else was listening. Left out, it is stored as `not_asked`.
         * @enum {string}
         */
        Risk: "no" | "yes" | "could_not_ask";
        /** @description What was done about the risk. */
        RiskActedOn: {
            /** @description Who was told of the risk, such as the police or the duty social worker. */
            who_was_told: string;
            /**
             * Format: date-time
             * @description When they were told. At most 31 days ago, or before `made_at`.
             */
            when: string;
        };
        /** @description How it is safe to contact the person. Left out, it is stored as `{"safe": "not_asked"}`. Pages and letters say it first. */
        SafeContact: {
            /** @description How: telephone, text, email, letter or in person. Other words are shown as they are. */
            channel?: string | undefined;
            safe: components["schemas"]["ContactSafety"];
            /** @description When or where it is safe, such as: weekdays before three. Required with `only_at`, and only for it. */
            only_at?: string | undefined;
            /** @description Whether a voicemail may be left. Not true with `safe: no`. */
            voicemail?: boolean | undefined;
            /** @description Who must not learn of the referral, such as: her husband. */
            who_must_not_know?: string | undefined;
        };
        /** @description Only what changes of how it is safe to contact the person; null removes an answer. Where `safe` becomes `no`, the ways and times at which it was safe, and leave to use voicemail, are removed unless they are sent again. */
        SafeContactCorrection: {
            /** @description How: telephone, text, email, letter or in person. Other words are shown as they are. */
            channel?: (string | null) | undefined;
            safe?: components["schemas"]["ContactSafety"] | undefined;
            /** @description When or where it is safe, such as: weekdays before three. Required with `only_at`, and only for it. */
            only_at?: (string | null) | undefined;
            /** @description Whether a voicemail may be left. Not true with `safe: no`. */
            voicemail?: (boolean | null) | undefined;
            /** @description Who must not learn of the referral, such as: her husband. */
            who_must_not_know?: (string | null) | undefined;
        };
        SavedService: {
            /** @description Read it at /api/library/services/{id}. */
            service_id: string;
            name: string;
            organization_name: string | null;
            /** @description As the service’s entry has it: active, or why it is not. */
            status: string;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            saved_at: string;
            /** @description Who saved it, by name. */
            saved_by: string | null;
        };
        SavedServicePage: {
            items: components["schemas"]["SavedService"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @enum {string} */
        ScheduleFrequency: "WEEKLY" | "MONTHLY";
        SendDeliveryAnotherWayBody: {
            /** @description One of the ways that this site has. */
            channel: string;
        };
        /** @description A link to a page of their own, to the safe email address or mobile number: where the referral stands, what happens next, whom to ring. It says only “You have a message”, and the page opens with a code that goes the same way. It needs `contact` with `safe: yes` and `channel: email`, and `patient.email`; or `channel: text` and a UK mobile in `patient.telephone`, where the site sends texts. It is refused for sensitive services, where a need, an answer or the words tell of abuse at home, a risk of harm or a crisis, while somebody must not know, where somebody else decides for the person, and under 16 without `competent_child`. Ask each time: it is never copied from another referral. */
        SendPersonPage: {
            /** @description True if you asked the person, and it is safe to send this to them. False when left out. */
            send: boolean;
        };
        SendPersonPageBody: {
            /**
             * @description True: you asked the person, and it is safe to send this to them.
             * @constant
             */
            send: true;
        };
        /** @description A service in full, with all that belongs to it: the fields are those of HSDS 3.0 (https://docs.openreferral.org/). Fields that HSDS does not name are kept as its source gave them. */
        Service: {
            id: string;
            organization_id?: string | undefined;
            program_id?: string | undefined;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            url?: string | undefined;
            email?: string | undefined;
            status: components["schemas"]["ServiceStatus"];
            interpretation_services?: string | undefined;
            application_process?: string | undefined;
            fees_description?: string | undefined;
            wait_time?: string | undefined;
            fees?: string | undefined;
            accreditations?: string | undefined;
            eligibility_description?: string | undefined;
            minimum_age?: number | undefined;
            maximum_age?: number | undefined;
            assured_date?: string | undefined;
            assurer_email?: string | undefined;
            licenses?: string | undefined;
            alert?: string | undefined;
            last_modified?: string | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            schedules?: components["schemas"]["HsdsSchedule"][] | undefined;
            service_areas?: components["schemas"]["HsdsServiceArea"][] | undefined;
            service_at_locations?: components["schemas"]["HsdsServiceAtLocation"][] | undefined;
            languages?: components["schemas"]["HsdsLanguage"][] | undefined;
            organization?: components["schemas"]["HsdsOrganization"] | undefined;
            funding?: components["schemas"]["HsdsFunding"][] | undefined;
            cost_options?: components["schemas"]["HsdsCostOption"][] | undefined;
            program?: components["schemas"]["HsdsProgram"] | undefined;
            required_documents?: components["schemas"]["HsdsRequiredDocument"][] | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            capacities?: components["schemas"]["HsdsCapacity"][] | undefined;
            service_capacity?: components["schemas"]["ServiceCapacity"] | undefined;
            responsiveness?: components["schemas"]["ServiceResponsiveness"] | undefined;
            /** @description How far it is from the postcode or point that was asked for, in a straight line: of a service, its nearest place. Left out where none was asked for, and where it has no place. */
            distance_metres?: number | undefined;
            /** @description Whether the postcode or point lies in an area that the service serves. Left out where its entry does not say it for certain. */
            in_service_area?: boolean | undefined;
        };
        /** @description A service at one of its locations, with both in full: the fields are those of HSDS 3.0 (https://docs.openreferral.org/). Its service does not repeat the locations. */
        ServiceAtLocation: {
            id: string;
            service_id: string;
            location_id?: string | undefined;
            attributes?: components["schemas"]["HsdsAttribute"][] | undefined;
            metadata?: components["schemas"]["HsdsMetadata"][] | undefined;
            description?: string | undefined;
            contacts?: components["schemas"]["HsdsContact"][] | undefined;
            phones?: components["schemas"]["HsdsPhone"][] | undefined;
            schedules?: components["schemas"]["HsdsSchedule"][] | undefined;
            location?: components["schemas"]["HsdsLocation"] | undefined;
            name?: string | undefined;
            status: components["schemas"]["ServiceStatus"];
            service: components["schemas"]["Service"];
            /** @description How far it is from the postcode or point that was asked for, in a straight line: of a service, its nearest place. Left out where none was asked for, and where it has no place. */
            distance_metres?: number | undefined;
            /** @description Whether the postcode or point lies in an area that the service serves. Left out where its entry does not say it for certain. */
            in_service_area?: boolean | undefined;
        };
        /** @description A page of services at locations. */
        ServiceAtLocationPage: {
            /** @description How many services at locations fit. */
            total_items: number;
            /** @description How many pages they fill. */
            total_pages: number;
            /** @description Which page this is, from 1. */
            page_number: number;
            /** @description How many services at locations are on this page. */
            size: number;
            first_page: boolean;
            last_page: boolean;
            /** @description True where the page has no services at locations, as past the end. */
            empty: boolean;
            /** @description Where distances are measured from, if you gave a postcode or a point. */
            place?: {
                latitude: number;
                longitude: number;
                precision: components["schemas"]["PlacePrecision"];
            } | undefined;
            crisis_help?: components["schemas"]["CrisisHelp"] | undefined;
            contents: (components["schemas"]["ServiceAtLocationSummary"] | components["schemas"]["ServiceAtLocation"])[];
        };
        /** @description A service at one of its locations, with only single-value fields: the fields are those of HSDS 3.0 (https://docs.openreferral.org/). */
        ServiceAtLocationSummary: {
            id: string;
            service_id: string;
            location_id?: string | undefined;
            description?: string | undefined;
            location?: components["schemas"]["LocationSummary"] | undefined;
            service: components["schemas"]["ServiceSummary"];
            /** @description How far it is from the postcode or point that was asked for, in a straight line: of a service, its nearest place. Left out where none was asked for, and where it has no place. */
            distance_metres?: number | undefined;
            /** @description Whether the postcode or point lies in an area that the service serves. Left out where its entry does not say it for certain. */
            in_service_area?: boolean | undefined;
        };
        /** @description What a service last said of its availability. */
        ServiceCapacity: {
            status: components["schemas"]["Availability"];
            /** @description How long people wait, in words. */
            waiting_time?: string | undefined;
            /**
             * Format: date-time
             * @description When this was last said.
             */
            updated: string;
        };
        /** @enum {string} */
        ServiceChange: "create" | "update" | "delete";
        ServiceHistoryEntry: {
            id: string;
            /** @description When. */
            at: string;
            action: components["schemas"]["ServiceChange"];
            /** @description Which field, as HSDS calls it. */
            field_name: string;
            /** @description What it was, as text; JSON where it was no single value. */
            previous_value: string;
            /** @description What it is since then. */
            replacement_value: string;
            /** @description The organisation, the import or the source that changed it. */
            updated_by: string;
            account: {
                id: string;
                name: string | null;
            } | null;
        };
        ServiceList: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description How many services it has. */
            services: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was renamed last, or a service saved or taken off.
             */
            updated_at: string;
        };
        ServiceListName: {
            /** @description What the list is for. It is seen by everyone in the organisation: leave out people’s names. */
            name: string;
        };
        ServiceListPage: {
            items: components["schemas"]["ServiceList"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        ServiceName: {
            id: string;
            name?: string | undefined;
            status: components["schemas"]["ServiceStatus"];
        };
        /** @enum {string} */
        ServiceOrder: "relevance" | "distance" | "name" | "responsiveness";
        /** @description A page of services. */
        ServicePage: {
            /** @description How many services fit. */
            total_items: number;
            /** @description How many pages they fill. */
            total_pages: number;
            /** @description Which page this is, from 1. */
            page_number: number;
            /** @description How many services are on this page. */
            size: number;
            first_page: boolean;
            last_page: boolean;
            /** @description True where the page has no services, as past the end. */
            empty: boolean;
            /** @description Where distances are measured from, if you gave a postcode or a point. */
            place?: {
                latitude: number;
                longitude: number;
                precision: components["schemas"]["PlacePrecision"];
            } | undefined;
            crisis_help?: components["schemas"]["CrisisHelp"] | undefined;
            /** @description For each facet that you asked for, the values of its filter with how many services they would leave: of the terms and languages, the fifty that most services have. */
            facets?: {
                taxonomy_term_id?: components["schemas"]["FacetCount"][] | undefined;
                day?: components["schemas"]["FacetCount"][] | undefined;
                capacity?: components["schemas"]["FacetCount"][] | undefined;
                way?: components["schemas"]["FacetCount"][] | undefined;
                language?: components["schemas"]["FacetCount"][] | undefined;
                feature?: components["schemas"]["FacetCount"][] | undefined;
            } | undefined;
            contents: (components["schemas"]["ServiceSummary"] | components["schemas"]["Service"] | components["schemas"]["ServiceStamp"])[];
        };
        /** @description How the service answers referrals, calculated every hour from the referrals that this site sent it in the last year. A figure based on fewer than five referrals is left out. For a sensitive service it is eight, and its referrals are counted in steps of eight. */
        ServiceResponsiveness: {
            /** @description The median number of days to the first answer. */
            median_days?: number | undefined;
            /** @description The share of decided referrals that were accepted, to the nearest twentieth. */
            share_accepted?: number | undefined;
            /** @description How many referrals were sent to it in the last 90 days. */
            referrals_90_days?: number | undefined;
            /** @description The commonest reason for rejecting, a value of a referral’s `status_reason.code`. */
            commonest_rejection?: string | undefined;
        };
        /** @description The same as the parameters of `listServices`; where several values may be given, send a list. */
        ServiceSearch: {
            /**
             * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
             * @example walking group
             */
            search?: string | undefined;
            /**
             * @description Which page, from 1.
             * @default 1
             */
            page?: number | undefined;
            /** @description How many services a page has: 50 by default. */
            per_page?: number | undefined;
            /**
             * @deprecated
             * @description ndjson, or the header `Accept: application/x-ndjson`: all services that fit, one a line. The address that ends in `.ndjson` answers the same.
             */
            format?: components["schemas"]["ListFormat"] | undefined;
            /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
            taxonomy_term_id?: (string[] | string) | undefined;
            /** @description Services with any term of this taxonomy. */
            taxonomy_id?: string | undefined;
            /** @description Services of this organisation. */
            organization_id?: string | undefined;
            /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
            modified_after?: string | undefined;
            /**
             * @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search.
             * @example ZT1 3GH
             */
            postcode?: string | undefined;
            /**
             * @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`.
             * @example 54.048
             */
            latitude?: number | undefined;
            /**
             * @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`.
             * @example -2.145
             */
            longitude?: number | undefined;
            /**
             * @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point.
             * @example 5000
             */
            proximity?: number | undefined;
            /**
             * @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody.
             * @example 70
             */
            minimum_age?: number | undefined;
            /**
             * @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`.
             * @example 70
             */
            maximum_age?: number | undefined;
            /**
             * @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not.
             * @example [
             *       "TU"
             *     ]
             */
            day?: (components["schemas"]["Day"][] | components["schemas"]["Day"]) | undefined;
            /**
             * @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK.
             * @example 17:00
             */
            start_time?: string | undefined;
            /**
             * @description Services that are open at some time before this one; up to 24:00, and later than `start_time`.
             * @example 21:00
             */
            end_time?: string | undefined;
            /**
             * @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known.
             * @example 2026-11-24T18:30:00Z
             */
            open_at?: string | undefined;
            /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
            accepting?: boolean | undefined;
            /**
             * @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out.
             * @example [
             *       "capacity",
             *       "waitlist"
             *     ]
             */
            capacity?: (components["schemas"]["Availability"][] | components["schemas"]["Availability"]) | undefined;
            /**
             * @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several.
             * @example [
             *       "home",
             *       "phone"
             *     ]
             */
            way?: (components["schemas"]["Way"][] | components["schemas"]["Way"]) | undefined;
            /**
             * @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted.
             * @example [
             *       "Polish"
             *     ]
             */
            language?: (string[] | string) | undefined;
            /**
             * @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say.
             * @example [
             *       "free",
             *       "step-free"
             *     ]
             */
            feature?: (components["schemas"]["Feature"][] | components["schemas"]["Feature"]) | undefined;
            /** @description The order of the results. `relevance`: best matches first, the default with `search`; with a place, a match counts less the farther away it is, half as much at five miles, and one by phone, online or at home that has no place counts in full. `distance`: nearest first, the default with a postcode or a point and no `search`. `name`: by name. `responsiveness`: the fastest to answer referrals first; services about which too little is known come last. Equal results are sorted by name. */
            sort?: components["schemas"]["ServiceOrder"] | undefined;
            /**
             * @description Counts, in `facets` beside the page, how many services each value of these filters would leave, with your other filters kept. Repeat it, or put commas between them.
             * @example [
             *       "taxonomy_term_id",
             *       "day",
             *       "capacity"
             *     ]
             */
            facets?: (components["schemas"]["Facet"][] | components["schemas"]["Facet"]) | undefined;
            /** @description Only `id` and `last_modified` of each service, and by default 50,000 of them on a page: for keeping a copy up to date. */
            minimal?: boolean | undefined;
            /** @description Each service in full, nested, as from /api/library/services/{id}. */
            full?: boolean | undefined;
        };
        /** @description The id of a service and when it changed, for lists with `minimal=true`. */
        ServiceStamp: {
            id: string;
            last_modified: string;
        };
        /** @enum {string} */
        ServiceStatus: "active" | "inactive" | "defunct" | "temporarily closed";
        /** @description A service in short, with only its single-value fields: the fields are those of HSDS 3.0 (https://docs.openreferral.org/). */
        ServiceSummary: {
            id: string;
            organization_id?: string | undefined;
            program_id?: string | undefined;
            name: string;
            alternate_name?: string | undefined;
            description?: string | undefined;
            url?: string | undefined;
            email?: string | undefined;
            status: components["schemas"]["ServiceStatus"];
            interpretation_services?: string | undefined;
            application_process?: string | undefined;
            fees_description?: string | undefined;
            wait_time?: string | undefined;
            fees?: string | undefined;
            accreditations?: string | undefined;
            eligibility_description?: string | undefined;
            minimum_age?: number | undefined;
            maximum_age?: number | undefined;
            assured_date?: string | undefined;
            assurer_email?: string | undefined;
            licenses?: string | undefined;
            alert?: string | undefined;
            last_modified?: string | undefined;
            organization?: components["schemas"]["OrganizationSummary"] | undefined;
            service_capacity?: components["schemas"]["ServiceCapacity"] | undefined;
            responsiveness?: components["schemas"]["ServiceResponsiveness"] | undefined;
            /** @description How far it is from the postcode or point that was asked for, in a straight line: of a service, its nearest place. Left out where none was asked for, and where it has no place. */
            distance_metres?: number | undefined;
            /** @description Whether the postcode or point lies in an area that the service serves. Left out where its entry does not say it for certain. */
            in_service_area?: boolean | undefined;
        };
        /** @description Whom you told at the service, which cannot read the referral any more. */
        ServiceTold: {
            /** @description Who at the service was told. It must not name the person. */
            who_was_told: string;
            /**
             * Format: date-time
             * @description When they were told. At most 7 days ago.
             */
            when: string;
        };
        SetPracticeChannelsBody: {
            /**
             * @description The channels by which it is told of referrals, in the order in which they are tried: email, mesh, document.
             * @example [
             *       "document"
             *     ]
             */
            channels: components["schemas"]["PracticeChannel"][];
            /** @description The addresses of the channels that need one. If you leave this out, they stay as they are. */
            addresses?: {
                /** @description The mailbox for letters sent by the channel `email`. Only people who may see the letters should be able to read it. */
                email?: string | undefined;
                /** @description Their mailbox at the NHS message exchange, for the channel `mesh`: capital letters and digits. */
                mesh?: string | undefined;
            } | undefined;
        };
        SetServiceCapacityBody: {
            /** @description Whether it takes new people, has a waiting list, is full, or says so only after an assessment of its own. */
            status: components["schemas"]["Availability"];
            /** @description How long people wait, in words. */
            waiting_time?: (string | null) | undefined;
        };
        Simulation: {
            /** Format: uuid */
            referral_id: string;
            reference: string;
            /** @description How the referral stands. */
            status: components["schemas"]["ReferralStatus"];
            /** @description The name that picked the story. */
            story: string;
            /** @constant */
            simulated: true;
            /** @description How long the referral’s time was moved on, all together. */
            moved_on_seconds: number;
            /** @description What is to come, the nearest first, as far as it is known by now. */
            next: {
                /**
                 * Format: date-time
                 * @description When, if nobody moves the time on.
                 */
                at: string;
                /** @description What, in plain words. */
                what: string;
            }[];
            /** @description What the simulator has done, the oldest first. */
            done: {
                /**
                 * Format: date-time
                 * @description When it really happened.
                 */
                at: string;
                /** @description What, in plain words. */
                what: string;
                /** @description Why nothing came of it, such as that somebody had answered already. */
                undone_because: string | null;
            }[];
        };
        SimulationPage: {
            items: components["schemas"]["Simulation"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        Site: {
            name: string;
            mode: components["schemas"]["SiteMode"];
            /** @description Of the software. For support; look at `features` instead. */
            version: string;
            /** @description What a client can count on here. More words may come. */
            features: string[];
        };
        /** @enum {string} */
        SiteMode: "test" | "live";
        StatusReason: {
            code: components["schemas"]["StatusReasonCode"];
            text: string;
        };
        StatusReasonCode: ("no-capacity" | "not-eligible" | "out-of-area" | "failed-contact" | "missing-information" | "client-declined" | "unsuitable-time" | "transport" | "needs-met-otherwise" | "moved-away" | "died" | "wrong-person" | "wrong-service" | "sent-twice" | "other") | (string & {});
        Story: {
            /** @description The last name of the patient that picks it. */
            name: string;
            /** @description What happens, in plain words. */
            description: string;
            /** @description It never happens at once, but as time is moved on, whatever the first name is. */
            on_the_clock: boolean;
        };
        StoryPage: {
            items: components["schemas"]["Story"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        /** @description Another service that staff suggested when they declined or closed the referral. Make the next referral with `POST …/reroute` and its `id`, once the person agrees. Null for a colleague from whom the service is hidden. */
        SuggestedService: {
            id: string;
            name: string;
        };
        /**
         * @description `by-hand`: its holder switched it off. `gone`: it answered 410. `failing`: every call failed for three days.
         * @enum {string}
         */
        SwitchOffReason: "by-hand" | "gone" | "failing";
        /** @description A page of taxonomies. */
        TaxonomyPage: {
            /** @description How many taxonomies fit. */
            total_items: number;
            /** @description How many pages they fill. */
            total_pages: number;
            /** @description Which page this is, from 1. */
            page_number: number;
            /** @description How many taxonomies are on this page. */
            size: number;
            first_page: boolean;
            last_page: boolean;
            /** @description True where the page has no taxonomies, as past the end. */
            empty: boolean;
            contents: components["schemas"]["HsdsTaxonomy"][];
        };
        /** @description A page of terms. */
        TaxonomyTermPage: {
            /** @description How many terms fit. */
            total_items: number;
            /** @description How many pages they fill. */
            total_pages: number;
            /** @description Which page this is, from 1. */
            page_number: number;
            /** @description How many terms are on this page. */
            size: number;
            first_page: boolean;
            last_page: boolean;
            /** @description True where the page has no terms, as past the end. */
            empty: boolean;
            contents: components["schemas"]["HsdsTaxonomyTerm"][];
        };
        /**
         * @description An hour, a day, or as long as it takes to what is next.
         * @enum {string}
         */
        TimeSpan: "hour" | "day" | "next";
        TokenRefresh: {
            /** @description The refresh token from /apikeys; it begins with onr_. */
            refreshToken: string;
        };
        /** @enum {string} */
        TokenSource: "apikeys" | "refresh" | "apilogin";
        TokenStatus: {
            /** @constant */
            result: "OK";
            account: {
                id: string;
                name: string;
                /** @description A system’s address is not a mailbox: nobody reads it. */
                email: string;
                type: components["schemas"]["AccountType"];
                /** @description operator, referrer, provider or manager; several are separated by commas. */
                role: string;
                organisation: {
                    id: string;
                    name: string;
                    /** @description The id of the organisation in the library, which its services name as `organization_id`; null if it runs none. */
                    library_id: string | null;
                } | null;
            };
            site: {
                name: string;
                mode: components["schemas"]["SiteMode"];
                base_url: string;
            };
            token: {
                source: components["schemas"]["TokenSource"];
                /** Format: date-time */
                issued_at: string;
                /**
                 * Format: date-time
                 * @description The token works until just before this moment.
                 */
                valid_to: string;
                /**
                 * @description The name of the key that it came from; null for the first pair of keys.
                 * @example Night import
                 */
                key: string | null;
                /**
                 * @description What the key allows, of what the role of the account can use. The role may still refuse a call of a scope.
                 * @example [
                 *       "referrals:read",
                 *       "webhooks"
                 *     ]
                 */
                scopes: string[];
            };
        };
        /** @description Whom you told of what is still open. The erasure takes it away from those who would have dealt with it. */
        ToldOfWhatIsOpen: {
            /** @description Who was told of what is still open. It must not name the person. */
            who_was_told: string;
            /**
             * Format: date-time
             * @description When they were told. At most 7 days ago.
             */
            when: string;
        };
        ToldReceiver: {
            leg: components["schemas"]["DeliveryLeg"];
            recipient: string | null;
            purpose: components["schemas"]["DeliveryPurpose"];
            /** @description `sending` and `uncertain`: nobody can tell yet whether it arrived. */
            status: string;
            /** Format: date-time */
            at: string;
        };
        Transfer: {
            /** @description The id of the other service. The same organisation runs it, and it takes referrals here. */
            service_id: string;
            /** @description Why, for the referrer and the other service to read. */
            reason: string;
            fit_override?: components["schemas"]["FitOverride"] | undefined;
        };
        /** @description What a test site plays on the next calls of your account. */
        Trouble: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["TroubleKind"];
            /** @description The operation that it is played on; null for any, and for webhooks. */
            operation_id: string | null;
            /** @description On how many calls it is played. */
            calls: number;
            /** @description On how many calls it has been played. */
            played: number;
            /** @description In seconds; null for kinds without a pause. */
            retry_after: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires, played or not.
             */
            ends_at: string;
        };
        /**
         * @description `expire-token`: The access token of the call expires, and the call is answered 401. `end-tokens`: All access tokens of the account end, as when somebody makes new keys, and the call is answered 401. The refresh token stays. `too-many-requests`: The call is answered 429, with Retry-After. `unavailable`: The call is answered 503, with Retry-After. `lose-answer`: The call is carried out, and the connection is closed without an answer. `slow`: The call is carried out, and its answer is delayed. `event-gap`: Reading events `after` one is answered 410, as after 30 days. `webhook-failing`: A call to a webhook of the account fails, as if your system had answered 500.
         * @enum {string}
         */
        TroubleKind: "expire-token" | "end-tokens" | "too-many-requests" | "unavailable" | "lose-answer" | "slow" | "event-gap" | "webhook-failing";
        TroublePage: {
            items: components["schemas"]["Trouble"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        UndoneDeath: {
            reason?: components["schemas"]["OperatorReason"] | undefined;
        };
        UnrestrictReferralBody: {
            reason: components["schemas"]["OperatorReason"];
        };
        /**
         * @description `urgent` shortens the time in which the service should answer.
         * @enum {string}
         */
        Urgency: "routine" | "urgent";
        UrgencyOverride: {
            /** @description Why the referral is not urgent, although somebody is at risk of serious harm or its text has words of a crisis. A few words that a colleague would understand. The service sees it. */
            reason: string;
        };
        /** @enum {string} */
        WaitReasonCode: "no-capacity" | "failed-contact" | "missing-information" | "other" | "not-eligible" | "out-of-area" | "client-declined";
        /** @enum {string} */
        Way: "in-person" | "home" | "phone" | "online";
        WayToReach: ("address" | "telephone" | "email") | (string & {});
        /** @description An address to which the site sends events. */
        Webhook: {
            /** Format: uuid */
            id: string;
            /** @description The address that events are posted to. */
            url: string;
            /** @description The types of event that it receives; `*` for all, including those of later versions. A type that this site does not know yet is accepted, and has no effect until the site knows it. */
            event_types: string[];
            /** @description A note for yourself. */
            description: string | null;
            /** @description Whether events are sent to it now. */
            enabled: boolean;
            switched_off: {
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                at: string;
                reason: components["schemas"]["SwitchOffReason"];
            } | null;
            /**
             * Format: date-time
             * @description Since when every call has failed; null while it works.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last change signs as well.
             */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its settings last changed.
             */
            updated_at: string;
        };
        WebhookAttempt: {
            event: {
                /** Format: uuid */
                id: string;
                type: string;
            };
            /**
             * Format: date-time
             * @description When the attempt ended.
             */
            at: string;
            outcome: components["schemas"]["WebhookOutcome"];
            /** @description The HTTP status of the answer; null without one. Nothing else of it is stored. */
            status: number | null;
            /** @description What happened, in plain words. */
            detail: string;
        };
        WebhookAttemptPage: {
            items: components["schemas"]["WebhookAttempt"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        WebhookChange: {
            /**
             * Format: uri
             * @description The https address that events are posted to. A test site also accepts one on your own computer.
             */
            url?: string | undefined;
            /** @description The types of event that it receives; `*` for all, including those of later versions. A type that this site does not know yet is accepted, and has no effect until the site knows it. */
            event_types?: string[] | undefined;
            /** @description A note for yourself. */
            description?: (string | null) | undefined;
            /** @description Whether it is on. True switches it on again, even if the site switched it off. */
            enabled?: boolean | undefined;
        };
        /**
         * @description `delivered`: answered with 2xx. `captured`: a test site sends nothing outside its computer. `will-retry`: did not work, and is tried again by itself. `failed`: is not tried again.
         * @enum {string}
         */
        WebhookOutcome: "delivered" | "captured" | "will-retry" | "failed";
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description With it you check that a call is from this site. It is shown only here, and begins with whsec_. */
            secret: string;
        };
        /** @description Who of the service first opened it here, or had it on a screen by the API (`Onward-Shown-To`), or changed its status or wrote a message, and when; null until then. A delivery that was received, or a referral that a program read, is not yet seen by a person. It changes neither the version nor `updated_at`. */
        WhoAndWhen: {
            /** Format: date-time */
            at: string;
            by: {
                name: string;
            };
        };
        WithdrawReferralBody: {
            status_reason?: {
                code: components["schemas"]["WithdrawalReasonCode"];
                /** @description The reason in words, for the other side to read. */
                text: string;
            } | undefined;
        };
        /** @enum {string} */
        WithdrawalReasonCode: "wrong-person" | "wrong-service" | "sent-twice" | "other" | "no-capacity" | "not-eligible" | "out-of-area" | "failed-contact" | "missing-information" | "client-declined";
        /** @enum {string} */
        WorklistClosing: "resolved" | "retried" | "another-way" | "by-hand";
        WorklistDelivery: {
            /** Format: uuid */
            id: string;
            referral: {
                /** Format: uuid */
                id: string;
                reference: string;
            };
            leg: components["schemas"]["DeliveryLeg"];
            purpose: components["schemas"]["DeliveryPurpose"];
            /** @description The service or the practice; null where none was named. “A restricted service” instead of a sensitive service, until you have opened the referral with a reason; what was tried and why is not told until then either. */
            recipient: string | null;
            /** @description The channel; null until one is chosen. */
            channel: string | null;
            status: components["schemas"]["DeliveryStatus"];
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updated_at: string;
            /** @description Why the delivery is or was on the worklist; null if it never was. */
            worklist: components["schemas"]["WorklistEntry"] | null;
        };
        WorklistDeliveryDetails: {
            /** Format: uuid */
            id: string;
            referral: {
                /** Format: uuid */
                id: string;
                reference: string;
            };
            leg: components["schemas"]["DeliveryLeg"];
            purpose: components["schemas"]["DeliveryPurpose"];
            /** @description The service or the practice; null where none was named. “A restricted service” instead of a sensitive service, until you have opened the referral with a reason; what was tried and why is not told until then either. */
            recipient: string | null;
            /** @description The channel; null until one is chosen. */
            channel: string | null;
            status: components["schemas"]["DeliveryStatus"];
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updated_at: string;
            /** @description Why the delivery is or was on the worklist; null if it never was. */
            worklist: components["schemas"]["WorklistEntry"] | null;
            /** @description What was tried and what was heard, oldest first. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                at: string;
                /** @description The channel. */
                channel: string;
                outcome: components["schemas"]["AttemptOutcome"];
                /** @description What happened, in plain words. */
                detail: string;
            }[];
        };
        WorklistDeliveryPage: {
            items: components["schemas"]["WorklistDelivery"][];
            /** @description Give this as `cursor` to get what comes next; null at the end. */
            next_cursor: string | null;
        };
        WorklistEntry: {
            kind: components["schemas"]["WorklistKind"];
            /** @description The same in plain words. */
            reason: string;
            /** @description It has waited for five days. */
            escalated: boolean;
            /**
             * Format: date-time
             * @description Since when.
             */
            opened_at: string;
            /** @description The operator responsible; null only while the site has none. */
            owner: components["schemas"]["Person"] | null;
            /**
             * Format: date-time
             * @description Null while it is open.
             */
            closed_at: string | null;
            /** @description `resolved`: it resolved itself. */
            closed_as: components["schemas"]["WorklistClosing"] | null;
            /** @description Who saw to it. */
            closed_by: components["schemas"]["Person"] | null;
            /** @description What they said of it. */
            closing_words: string | null;
        };
        /** @description Why it needs an operator. `failed`: no way worked. `uncertain`: nobody can tell whether it arrived. `expired`: handed over and not confirmed within five days. `unanswered`: its receiver has not answered within a day. `no-practice`: the person’s GP practice was not named. `held`: it waits until something else is put right, as `reason` says, and is then sent by itself. */
        WorklistKind: ("failed" | "uncertain" | "expired" | "unanswered" | "no-practice" | "held") | (string & {});
    };
    responses: {
        /** @description The referral as it is now. */
        Referral: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Referral"];
            };
        };
        /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service as it is read now. */
        Service: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Service"];
            };
        };
        /** @description The referral as it is now. */
        ReferralCompleted: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Referral"];
            };
        };
        /** @description What holds now. */
        ReferralSettings: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReferralSettings"];
            };
        };
        /** @description OK. */
        ReferralPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReferralPage"];
            };
        };
        /** @description OK. */
        Webhook: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description OK. */
        ReportSummary: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReportSummary"];
            };
        };
        /** @description OK. */
        LooseEnd: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LooseEnd"];
            };
        };
        /** @description The request does not have the right form; `errors` says where. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/bad-request",
                 *       "title": "The request is not as the API expects it",
                 *       "status": 400,
                 *       "code": "bad-request",
                 *       "detail": "See `errors` for what to change, and where.",
                 *       "request_id": "_TG-p5C7QKFy-1b7",
                 *       "errors": [
                 *         {
                 *           "pointer": "/patient/birth_date",
                 *           "message": "must be a date such as 1950-12-31"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token is missing, or it is not valid. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/missing-token",
                 *       "title": "An access token is needed",
                 *       "status": 401,
                 *       "code": "missing-token",
                 *       "detail": "Send the header Authorization: Bearer <access token>. Copy one from /apikeys.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key may not be used from this IP address. */
        AddressNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/address-not-allowed",
                 *       "title": "The key may not be used from this IP address",
                 *       "status": 403,
                 *       "code": "address-not-allowed",
                 *       "detail": "The account holder allows this key from certain IP addresses only; yours is not one of them. They can change that at /apikeys.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many calls came from the account or its network, or an NHS number was sent with too many names or birth dates. Wait for as many seconds as Retry-After says. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/too-many-requests",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "code": "too-many-requests",
                 *       "detail": "Too many calls came from this account. Call again in 12 seconds.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The site cannot answer just now, as when its database is being restarted. Wait for as many seconds as Retry-After says. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/unavailable",
                 *       "title": "The site cannot answer just now",
                 *       "status": 503,
                 *       "code": "unavailable",
                 *       "detail": "Try again in a few seconds. What you asked for may have been done: read it again, or repeat it with the same Idempotency-Key.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The refresh token is not valid. */
        InvalidRefreshToken: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/invalid-refresh-token",
                 *       "title": "The refresh token is not valid",
                 *       "status": 401,
                 *       "code": "invalid-refresh-token",
                 *       "detail": "It is unknown here, or was replaced or revoked. Copy the current one from /apikeys.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description API access is switched off for this account. */
        ApiAccessDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/api-access-disabled",
                 *       "title": "API access is switched off for this account",
                 *       "status": 403,
                 *       "code": "api-access-disabled",
                 *       "detail": "Ask the people who run Sarrowby referrals to switch it on.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than a megabyte. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/too-large",
                 *       "title": "The request is too large",
                 *       "status": 413,
                 *       "code": "too-large",
                 *       "detail": "Send at most one megabyte.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not sent as application/json. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/unsupported-media-type",
                 *       "title": "The content type is not one this address takes",
                 *       "status": 415,
                 *       "code": "unsupported-media-type",
                 *       "detail": "Send JSON, with the header Content-Type: application/json.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key does not allow this. */
        InsufficientScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/insufficient-scope",
                 *       "title": "The key does not allow this",
                 *       "status": 403,
                 *       "code": "insufficient-scope",
                 *       "detail": "The key needs the scope referrals:write. The owner of the key can add it, or make another key.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing, or it is not yours to see. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/not-found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "code": "not-found",
                 *       "detail": "It is not there, or it is not yours to see.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account or the key may not do this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/forbidden",
                 *       "title": "You do not have access",
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "detail": "This is for referrer accounts.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The library has a service with this id already. */
        ServiceExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/service-exists",
                 *       "title": "The library has a service with this id already",
                 *       "status": 409,
                 *       "code": "service-exists",
                 *       "detail": "Change that one, or choose another id.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A value cannot be used; `errors` says which and why. */
        Unprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/unprocessable",
                 *       "title": "Some of the values cannot be used",
                 *       "status": 422,
                 *       "code": "unprocessable",
                 *       "detail": "See `errors` for what to change.",
                 *       "request_id": "_TG-p5C7QKFy-1b7",
                 *       "errors": [
                 *         {
                 *           "pointer": "/expected_date",
                 *           "message": "must not be in the past"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It has changed since you read it. */
        VersionStale: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/version-stale",
                 *       "title": "This has changed since you read it",
                 *       "status": 412,
                 *       "code": "version-stale",
                 *       "detail": "Read the referral again, then decide again.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description If-Match is missing. */
        VersionMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/version-missing",
                 *       "title": "The If-Match header is missing",
                 *       "status": 428,
                 *       "code": "version-missing",
                 *       "detail": "Send the header If-Match with the ETag of the referral as you last read it, such as \"1\".",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Referrals were made to this service, so it stays. */
        ServiceHasReferrals: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/service-has-referrals",
                 *       "title": "Referrals were made to this service, so it stays",
                 *       "status": 409,
                 *       "code": "service-has-referrals",
                 *       "detail": "Set its status to inactive or defunct instead: it is then no longer listed.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This site sends no email. */
        NoMailServer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/no-mail-server",
                 *       "title": "This site sends no email",
                 *       "status": 409,
                 *       "code": "no-mail-server",
                 *       "detail": "This site sends no email",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Your organisation has a list of this name. */
        ListNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/list-name-taken",
                 *       "title": "Your organisation has a list of this name",
                 *       "status": 409,
                 *       "code": "list-name-taken",
                 *       "detail": "Choose another name.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The list has reached its limit of services. */
        ListFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/list-full",
                 *       "title": "The list has reached its limit of services",
                 *       "status": 409,
                 *       "code": "list-full",
                 *       "detail": "Remove a service first, or create another list.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Your organisation has an open referral of this person to this service. */
        PossibleDuplicate: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/possible-duplicate",
                 *       "title": "Your organisation has an open referral of this person to this service",
                 *       "status": 409,
                 *       "code": "possible-duplicate",
                 *       "detail": "Follow that one, or send allow_duplicate: true if a second one is meant.",
                 *       "request_id": "_TG-p5C7QKFy-1b7",
                 *       "reference": "7K3QF-XW29D",
                 *       "referral_id": "01a1fc72-4adf-7a4a-aa65-fc267c41c863"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This referral cannot be made. */
        CannotRefer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/cannot-refer",
                 *       "title": "This referral cannot be made",
                 *       "status": 422,
                 *       "code": "cannot-refer",
                 *       "detail": "Nothing was sent. See `errors` for what to change.",
                 *       "request_id": "_TG-p5C7QKFy-1b7",
                 *       "errors": [
                 *         {
                 *           "pointer": "/service_id",
                 *           "message": "is a service that does not take referrals through this site"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description That is not possible as things are. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/wrong-state",
                 *       "title": "The referral is not in a state for that",
                 *       "status": 409,
                 *       "code": "wrong-state",
                 *       "detail": "It is completed; that is possible only when it is requested.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nobody may work with this referral for now. */
        ReferralRestricted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/referral-restricted",
                 *       "title": "Nobody may work with this referral for now",
                 *       "status": 409,
                 *       "code": "referral-restricted",
                 *       "detail": "Ask the operator of the site why, and when that ends.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The same request is still being worked on. */
        StillInProgress: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/still-in-progress",
                 *       "title": "The same request is still being worked on",
                 *       "status": 409,
                 *       "code": "still-in-progress",
                 *       "detail": "Wait for its answer, or send it again in a moment.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description That cannot be done about this delivery now. */
        NothingToDo: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/nothing-to-do",
                 *       "title": "That cannot be done about this delivery now",
                 *       "status": 409,
                 *       "code": "nothing-to-do",
                 *       "detail": "It may have gone out meanwhile, or somebody has resolved it: read it again.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The referral has no story. */
        NoStory: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/no-story",
                 *       "title": "The referral has no story",
                 *       "status": 409,
                 *       "code": "no-story",
                 *       "detail": "The last name of the patient picks it: GET /api/simulator/stories lists the names.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is no longer kept. */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/events-gone",
                 *       "title": "The events after this one were deleted",
                 *       "status": 410,
                 *       "code": "events-gone",
                 *       "detail": "Events are kept for 30 days, and this one is older, so some after it are gone. Read again what you need, then continue from the oldest event that is left.",
                 *       "request_id": "_TG-p5C7QKFy-1b7",
                 *       "oldest_id": "01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The account has reached its limit of webhooks. */
        TooManyWebhooks: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/too-many-webhooks",
                 *       "title": "The account has reached its limit of webhooks",
                 *       "status": 409,
                 *       "code": "too-many-webhooks",
                 *       "detail": "Remove one first.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Nobody has reviewed this copy yet. */
        CopyNotReviewed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/copy-not-reviewed",
                 *       "title": "Nobody has reviewed this copy yet",
                 *       "status": 409,
                 *       "code": "copy-not-reviewed",
                 *       "detail": "An operator looks through it first, on the page that `review_at` of the copy names.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Only a job can be tried again. */
        CannotBeRetried: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/cannot-be-retried",
                 *       "title": "Only a job can be tried again",
                 *       "status": 409,
                 *       "code": "cannot-be-retried",
                 *       "detail": "Look at the message, and say what was done about it.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Read the message first. */
        MessageNotRead: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "http://localhost:8080/problems/message-not-read",
                 *       "title": "Read the message first",
                 *       "status": 409,
                 *       "code": "message-not-read",
                 *       "detail": "You have not read this message. Open it at /operator/deliveries/unmatched, then say what was done about it.",
                 *       "request_id": "_TG-p5C7QKFy-1b7"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Any other refusal, such as when something went wrong on the site’s side (internal-error). */
        Problem: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Onward-Check-First": components["headers"]["Onward-Check-First"];
                "Onward-Simulated": components["headers"]["Onward-Simulated"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
         * @example walking group
         */
        ServiceSearch: string;
        /** @description Which page, from 1. */
        Page: number;
        /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
        ServiceTaxonomyTermId: string[];
        /** @description Services with any term of this taxonomy. */
        ServiceTaxonomyId: string;
        /** @description Services of this organisation. */
        ServiceOrganizationId: string;
        /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
        ServiceModifiedAfter: string;
        /** @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search. For example `ZT1 3GH`. */
        ServicePostcode: string;
        /** @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`. For example `54.048`. */
        ServiceLatitude: number;
        /** @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`. For example `-2.145`. */
        ServiceLongitude: number;
        /** @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point. For example `5000`. */
        ServiceProximity: number;
        /** @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody. For example `70`. */
        ServiceMinimumAge: number;
        /** @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`. For example `70`. */
        ServiceMaximumAge: number;
        /** @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not. For example `TU`. */
        ServiceDay: components["schemas"]["Day"][];
        /** @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK. For example `17:00`. */
        ServiceStartTime: string;
        /** @description Services that are open at some time before this one; up to 24:00, and later than `start_time`. For example `21:00`. */
        ServiceEndTime: string;
        /** @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known. For example `2026-11-24T18:30:00Z`. */
        ServiceOpenAt: string;
        /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
        ServiceAccepting: boolean;
        /** @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out. For example `capacity`, `waitlist`. */
        ServiceCapacity: components["schemas"]["Availability"][];
        /** @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several. For example `home`, `phone`. */
        ServiceWay: components["schemas"]["Way"][];
        /** @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted. For example `Polish`. */
        ServiceLanguage: string[];
        /** @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say. For example `free`, `step-free`. */
        ServiceFeature: components["schemas"]["Feature"][];
        /** @description The order of the results. `relevance`: best matches first, the default with `search`; with a place, a match counts less the farther away it is, half as much at five miles, and one by phone, online or at home that has no place counts in full. `distance`: nearest first, the default with a postcode or a point and no `search`. `name`: by name. `responsiveness`: the fastest to answer referrals first; services about which too little is known come last. Equal results are sorted by name. */
        ServiceSort: components["schemas"]["ServiceOrder"];
        /** @description Only `id` and `last_modified` of each service, and by default 50,000 of them on a page: for keeping a copy up to date. */
        MinimalServices: boolean;
        /** @description Each service in full, nested, as from /api/library/services/{id}. */
        FullServices: boolean;
        /** @description Each in full, nested, as from /api/library/service_at_locations/{id}. */
        FullServicesAtLocations: boolean;
        /**
         * @description Words to look for in the name, other names and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
         * @example weir house
         */
        OrganizationSearch: string;
        /** @description The services of each organisation in full, and not their ids and names alone. */
        FullService: boolean;
        /** @description Each organisation in full, with the ids and names of its services; `full_service` implies it. */
        FullOrganizations: boolean;
        /**
         * @description Words to look for in the name and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
         * @example need
         */
        TaxonomySearch: string;
        /**
         * @description Words to look for in the name, the code and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
         * @example lonely
         */
        TermSearch: string;
        /** @description Terms of this taxonomy. */
        TermTaxonomyId: string;
        /** @description Only terms at the top, which are below no other that the library has. */
        TopOnly: boolean;
        /** @description Terms directly below this term. */
        ParentId: string;
        /**
         * @description The id of the service, as lists give it.
         * @example 19096312-e822-4b61-87ce-491718e6e107
         */
        ServiceId: string;
        /**
         * @description The id of the service at a location, as lists give it.
         * @example 0a77f087-22b2-4d00-bdff-cbe1af63d398
         */
        ServiceAtLocationId: string;
        /**
         * @description The id of the taxonomy, as lists give it.
         * @example b851a9c6-03a2-49f1-b5a2-61bb1d4a3a52
         */
        TaxonomyId: string;
        /**
         * @description The id of the term, as lists give it.
         * @example fc89a774-f334-4111-87f5-d673ed621ad3
         */
        TaxonomyTermId: string;
        /**
         * @description The id of the organisation, as lists give it.
         * @example b49dadd1-f98b-448d-b2ae-9895f5cd6f89
         */
        OrganizationId: string;
        /**
         * @description The ETag of the service as you last read it. Without it the answer is 428, so that nobody changes what they have not seen.
         * @example "Fq2rLjZGZJZ6XNnIXdhyXZQBmDU"
         */
        ServiceVersion: string;
        /** @description The most items to return. The default is 50. */
        Limit: number;
        /** @description The next_cursor of the last answer. */
        Cursor: string;
        /**
         * @description The code, in capital or small letters.
         * @example Z99001
         */
        PracticeCode: string;
        /** @description The most items to return. The default is 50. */
        ListLimit: number;
        /** @description The id of a list of your organisation. */
        ServiceListId: string;
        /**
         * @description The id of a service.
         * @example 19096312-e822-4b61-87ce-491718e6e107
         */
        SavedServiceId: string;
        /** @description A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated. */
        IdempotencyKey: string;
        /** @description The id of a referral. */
        ReferralId: string;
        /** @description Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts. */
        OnwardShownTo: "person";
        /**
         * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
         * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
         */
        ReferralVersion: string;
        /**
         * @description The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the referral has changed since, the answer is 412. It may be left out.
         * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
         */
        ReferralVersionIfKnown: string;
        /** @description The id of an attachment. */
        AttachmentId: string;
        /** @description The id of a delivery. */
        DeliveryId: string;
        /** @description The id of a webhook. */
        WebhookId: string;
        /** @description The id of a copy. */
        RecordCopyId: string;
        /**
         * @description The first day, in London.
         * @example 2026-06-01
         */
        ReportFrom: string;
        /**
         * @description The last day, included.
         * @example 2026-06-30
         */
        ReportTo: string;
        /** @description The id of an unmatched item. */
        LooseEndId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names exactly what you read: send it back as `If-None-Match`, or as `If-Match` with a change. That of a referral begins with its version. A page of the library of more than 8 megabytes has none. */
        ETag: string;
        /** @description The address of what was made. */
        Location: string;
        /** @description How many seconds to wait. Of a 409 only with the code `still-in-progress`. */
        "Retry-After": string;
        /** @description Finds the request in the log of the site. Every answer has it. */
        "X-Request-Id": string;
        /** @description When the backup was made from which the site was restored. Every answer has it until an operator lets the site send again. */
        "Onward-Check-First": string;
        /** @description On a test site: the failure that this answer plays. Any answer may have it. */
        "Onward-Simulated": string;
        /**
         * @description How many calls are left (`r`) in how many seconds (`t`), of the limit that is nearer: draft-ietf-httpapi-ratelimit-headers. Every answer has it.
         * @example "account";r=5999;t=60
         */
        RateLimit: string;
        /**
         * @description The limits: how many calls (`q`) in how many seconds (`w`). Every answer has it.
         * @example "account";q=6000;w=60, "network";q=12000;w=60
         */
        "RateLimit-Policy": string;
        /** @description What the file is called. */
        "Content-Disposition": string;
        /** @description How to sign in: with a bearer token (RFC 6750). */
        "WWW-Authenticate": string;
        /**
         * @description Since when something that the call used is deprecated (RFC 9745). The document marks it as `deprecated`.
         * @example @1795651200
         */
        Deprecation: string;
        /**
         * @description When it ends (RFC 8594).
         * @example Wed, 01 Dec 2027 00:00:00 GMT
         */
        Sunset: string;
        /** @description True if this is the answer to an earlier request with the same `Idempotency-Key`. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTokenStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account holder allows the token from certain IP addresses only, and yours is not one of them. */
            403: components["responses"]["AddressNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "onr_…: copy the whole refresh token from /apikeys"
                 *     }
                 */
                "application/json": components["schemas"]["TokenRefresh"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshedToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["InvalidRefreshToken"];
            /** @description API access is switched off for the account, or its holder does not allow your IP address. */
            403: components["responses"]["ApiAccessDisabled"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listServices: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example walking group
                 */
                search?: components["parameters"]["ServiceSearch"] | undefined;
                /** @description Which page, from 1. */
                page?: components["parameters"]["Page"] | undefined;
                /** @description How many services a page has: 50 by default. */
                per_page?: number | undefined;
                /**
                 * @deprecated
                 * @description ndjson, or the header `Accept: application/x-ndjson`: all services that fit, one a line. The address that ends in `.ndjson` answers the same.
                 */
                format?: components["schemas"]["ListFormat"] | undefined;
                /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
                taxonomy_term_id?: components["parameters"]["ServiceTaxonomyTermId"] | undefined;
                /** @description Services with any term of this taxonomy. */
                taxonomy_id?: components["parameters"]["ServiceTaxonomyId"] | undefined;
                /** @description Services of this organisation. */
                organization_id?: components["parameters"]["ServiceOrganizationId"] | undefined;
                /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
                modified_after?: components["parameters"]["ServiceModifiedAfter"] | undefined;
                /** @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search. For example `ZT1 3GH`. */
                postcode?: components["parameters"]["ServicePostcode"] | undefined;
                /** @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`. For example `54.048`. */
                latitude?: components["parameters"]["ServiceLatitude"] | undefined;
                /** @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`. For example `-2.145`. */
                longitude?: components["parameters"]["ServiceLongitude"] | undefined;
                /** @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point. For example `5000`. */
                proximity?: components["parameters"]["ServiceProximity"] | undefined;
                /** @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody. For example `70`. */
                minimum_age?: components["parameters"]["ServiceMinimumAge"] | undefined;
                /** @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`. For example `70`. */
                maximum_age?: components["parameters"]["ServiceMaximumAge"] | undefined;
                /** @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not. For example `TU`. */
                day?: components["parameters"]["ServiceDay"] | undefined;
                /** @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK. For example `17:00`. */
                start_time?: components["parameters"]["ServiceStartTime"] | undefined;
                /** @description Services that are open at some time before this one; up to 24:00, and later than `start_time`. For example `21:00`. */
                end_time?: components["parameters"]["ServiceEndTime"] | undefined;
                /** @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known. For example `2026-11-24T18:30:00Z`. */
                open_at?: components["parameters"]["ServiceOpenAt"] | undefined;
                /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
                accepting?: components["parameters"]["ServiceAccepting"] | undefined;
                /** @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out. For example `capacity`, `waitlist`. */
                capacity?: components["parameters"]["ServiceCapacity"] | undefined;
                /** @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several. For example `home`, `phone`. */
                way?: components["parameters"]["ServiceWay"] | undefined;
                /** @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted. For example `Polish`. */
                language?: components["parameters"]["ServiceLanguage"] | undefined;
                /** @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say. For example `free`, `step-free`. */
                feature?: components["parameters"]["ServiceFeature"] | undefined;
                /** @description The order of the results. `relevance`: best matches first, the default with `search`; with a place, a match counts less the farther away it is, half as much at five miles, and one by phone, online or at home that has no place counts in full. `distance`: nearest first, the default with a postcode or a point and no `search`. `name`: by name. `responsiveness`: the fastest to answer referrals first; services about which too little is known come last. Equal results are sorted by name. */
                sort?: components["parameters"]["ServiceSort"] | undefined;
                /** @description Counts, in `facets` beside the page, how many services each value of these filters would leave, with your other filters kept. Repeat it, or put commas between them. For example `taxonomy_term_id`, `day`, `capacity`. */
                facets?: components["schemas"]["Facet"][] | undefined;
                /** @description Only `id` and `last_modified` of each service, and by default 50,000 of them on a page: for keeping a copy up to date. */
                minimal?: components["parameters"]["MinimalServices"] | undefined;
                /** @description Each service in full, nested, as from /api/library/services/{id}. */
                full?: components["parameters"]["FullServices"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of services. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tuesday walking group",
                 *       "description": "A gentle hour by the river, with tea afterwards.",
                 *       "status": "active",
                 *       "organization_id": "b49dadd1-f98b-448d-b2ae-9895f5cd6f89",
                 *       "email": "walks@weirhouse.example.org",
                 *       "fees_description": "Free.",
                 *       "phones": [
                 *         {
                 *           "number": "01632 960011"
                 *         }
                 *       ],
                 *       "schedules": [
                 *         {
                 *           "freq": "WEEKLY",
                 *           "byday": "TU",
                 *           "opens_at": "10:30",
                 *           "closes_at": "11:30"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewService"];
            };
        };
        responses: {
            /** @description The service as it is read. `Location` has its address and `ETag` its version. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            /** @description A service has this id already. */
            409: components["responses"]["ServiceExists"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportServices: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example walking group
                 */
                search?: components["parameters"]["ServiceSearch"] | undefined;
                /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
                taxonomy_term_id?: components["parameters"]["ServiceTaxonomyTermId"] | undefined;
                /** @description Services with any term of this taxonomy. */
                taxonomy_id?: components["parameters"]["ServiceTaxonomyId"] | undefined;
                /** @description Services of this organisation. */
                organization_id?: components["parameters"]["ServiceOrganizationId"] | undefined;
                /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
                modified_after?: components["parameters"]["ServiceModifiedAfter"] | undefined;
                /** @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search. For example `ZT1 3GH`. */
                postcode?: components["parameters"]["ServicePostcode"] | undefined;
                /** @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`. For example `54.048`. */
                latitude?: components["parameters"]["ServiceLatitude"] | undefined;
                /** @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`. For example `-2.145`. */
                longitude?: components["parameters"]["ServiceLongitude"] | undefined;
                /** @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point. For example `5000`. */
                proximity?: components["parameters"]["ServiceProximity"] | undefined;
                /** @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody. For example `70`. */
                minimum_age?: components["parameters"]["ServiceMinimumAge"] | undefined;
                /** @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`. For example `70`. */
                maximum_age?: components["parameters"]["ServiceMaximumAge"] | undefined;
                /** @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not. For example `TU`. */
                day?: components["parameters"]["ServiceDay"] | undefined;
                /** @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK. For example `17:00`. */
                start_time?: components["parameters"]["ServiceStartTime"] | undefined;
                /** @description Services that are open at some time before this one; up to 24:00, and later than `start_time`. For example `21:00`. */
                end_time?: components["parameters"]["ServiceEndTime"] | undefined;
                /** @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known. For example `2026-11-24T18:30:00Z`. */
                open_at?: components["parameters"]["ServiceOpenAt"] | undefined;
                /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
                accepting?: components["parameters"]["ServiceAccepting"] | undefined;
                /** @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out. For example `capacity`, `waitlist`. */
                capacity?: components["parameters"]["ServiceCapacity"] | undefined;
                /** @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several. For example `home`, `phone`. */
                way?: components["parameters"]["ServiceWay"] | undefined;
                /** @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted. For example `Polish`. */
                language?: components["parameters"]["ServiceLanguage"] | undefined;
                /** @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say. For example `free`, `step-free`. */
                feature?: components["parameters"]["ServiceFeature"] | undefined;
                /** @description Only `id` and `last_modified` of each service, and by default 50,000 of them on a page: for keeping a copy up to date. */
                minimal?: components["parameters"]["MinimalServices"] | undefined;
                /** @description Each service in full, nested, as from /api/library/services/{id}. */
                full?: components["parameters"]["FullServices"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All services, one a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"19096312-e822-4b61-87ce-491718e6e107","organization_id":"b49dadd1-f98b-448d-b2ae-9895f5cd6f89","name":"Good Company befriending","description":"A trained volunteer visits you at home for about an hour a week.","url":"https://weirhouse.example.org/good-company","email":"goodcompany@weirhouse.example.org","status":"active","fees_description":"Free.","minimum_age":55,"assured_date":"2026-05-21","last_modified":"2026-05-22T17:40:46Z","organization":{"id":"b49dadd1-f98b-448d-b2ae-9895f5cd6f89","name":"The Weir House Trust","description":"Community centre by the river in the middle of Sarrowby.","email":"office@weirhouse.example.org","website":"https://weirhouse.example.org"}} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    searchServices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "search": "befriending",
                 *       "postcode": "ZT1 3GH",
                 *       "proximity": 8000,
                 *       "day": [
                 *         "TU",
                 *         "TH"
                 *       ],
                 *       "accepting": true
                 *     }
                 */
                "application/json": components["schemas"]["ServiceSearch"];
            };
        } | undefined;
        responses: {
            /** @description A page of services. */
            200: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listServicesAtLocations: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example walking group
                 */
                search?: components["parameters"]["ServiceSearch"] | undefined;
                /** @description Which page, from 1. */
                page?: components["parameters"]["Page"] | undefined;
                /** @description How many services at locations a page has: 50 by default. */
                per_page?: number | undefined;
                /**
                 * @deprecated
                 * @description ndjson, or the header `Accept: application/x-ndjson`: all services at locations that fit, one a line. The address that ends in `.ndjson` answers the same.
                 */
                format?: components["schemas"]["ListFormat"] | undefined;
                /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
                taxonomy_term_id?: components["parameters"]["ServiceTaxonomyTermId"] | undefined;
                /** @description Services with any term of this taxonomy. */
                taxonomy_id?: components["parameters"]["ServiceTaxonomyId"] | undefined;
                /** @description Services of this organisation. */
                organization_id?: components["parameters"]["ServiceOrganizationId"] | undefined;
                /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
                modified_after?: components["parameters"]["ServiceModifiedAfter"] | undefined;
                /** @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search. For example `ZT1 3GH`. */
                postcode?: components["parameters"]["ServicePostcode"] | undefined;
                /** @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`. For example `54.048`. */
                latitude?: components["parameters"]["ServiceLatitude"] | undefined;
                /** @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`. For example `-2.145`. */
                longitude?: components["parameters"]["ServiceLongitude"] | undefined;
                /** @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point. For example `5000`. */
                proximity?: components["parameters"]["ServiceProximity"] | undefined;
                /** @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody. For example `70`. */
                minimum_age?: components["parameters"]["ServiceMinimumAge"] | undefined;
                /** @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`. For example `70`. */
                maximum_age?: components["parameters"]["ServiceMaximumAge"] | undefined;
                /** @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not. For example `TU`. */
                day?: components["parameters"]["ServiceDay"] | undefined;
                /** @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK. For example `17:00`. */
                start_time?: components["parameters"]["ServiceStartTime"] | undefined;
                /** @description Services that are open at some time before this one; up to 24:00, and later than `start_time`. For example `21:00`. */
                end_time?: components["parameters"]["ServiceEndTime"] | undefined;
                /** @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known. For example `2026-11-24T18:30:00Z`. */
                open_at?: components["parameters"]["ServiceOpenAt"] | undefined;
                /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
                accepting?: components["parameters"]["ServiceAccepting"] | undefined;
                /** @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out. For example `capacity`, `waitlist`. */
                capacity?: components["parameters"]["ServiceCapacity"] | undefined;
                /** @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several. For example `home`, `phone`. */
                way?: components["parameters"]["ServiceWay"] | undefined;
                /** @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted. For example `Polish`. */
                language?: components["parameters"]["ServiceLanguage"] | undefined;
                /** @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say. For example `free`, `step-free`. */
                feature?: components["parameters"]["ServiceFeature"] | undefined;
                /** @description The order of the results. `relevance`: best matches first, the default with `search`; with a place, a match counts less the farther away it is, half as much at five miles, and one by phone, online or at home that has no place counts in full. `distance`: nearest first, the default with a postcode or a point and no `search`. `name`: by name. `responsiveness`: the fastest to answer referrals first; services about which too little is known come last. Equal results are sorted by name. */
                sort?: components["parameters"]["ServiceSort"] | undefined;
                /** @description Each in full, nested, as from /api/library/service_at_locations/{id}. */
                full?: components["parameters"]["FullServicesAtLocations"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of services at locations. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAtLocationPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportServicesAtLocations: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the organisation, the description and the terms, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example walking group
                 */
                search?: components["parameters"]["ServiceSearch"] | undefined;
                /** @description Services with this term, or with one below it. Repeat the parameter to take any of several terms. */
                taxonomy_term_id?: components["parameters"]["ServiceTaxonomyTermId"] | undefined;
                /** @description Services with any term of this taxonomy. */
                taxonomy_id?: components["parameters"]["ServiceTaxonomyId"] | undefined;
                /** @description Services of this organisation. */
                organization_id?: components["parameters"]["ServiceOrganizationId"] | undefined;
                /** @description Services that changed, or set their availability, at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21. */
                modified_after?: components["parameters"]["ServiceModifiedAfter"] | undefined;
                /** @description A full UK postcode to measure from: every service that has a place says how far its nearest one is (`distance_metres`) and, where that is known, whether it serves the postcode (`in_service_area`); none is left out for it. Where the site does not know the postcode, it measures from the middle of its sector or district, and `place` in the answer says so; one whose district it does not know is a 400. Not beside `latitude` and `longitude`. A patient’s postcode does not belong in an address: send it to POST /api/library/services/search. For example `ZT1 3GH`. */
                postcode?: components["parameters"]["ServicePostcode"] | undefined;
                /** @description A point to measure from, instead of a postcode: its degrees north (WGS 84). Needs `longitude`. For example `54.048`. */
                latitude?: components["parameters"]["ServiceLatitude"] | undefined;
                /** @description The degrees east of the point; west of Greenwich they are negative. Needs `latitude`. For example `-2.145`. */
                longitude?: components["parameters"]["ServiceLongitude"] | undefined;
                /** @description The maximum distance in metres, as the crow flies, from the postcode or point to a place of the service. Services without a place, such as telephone lines, are left out. Needs a postcode or a point. For example `5000`. */
                proximity?: components["parameters"]["ServiceProximity"] | undefined;
                /** @description The youngest age you ask for: services that take somebody of this age or older. For a person of 70 send 70 as `maximum_age` too. Services that give no age are for everybody. For example `70`. */
                minimum_age?: components["parameters"]["ServiceMinimumAge"] | undefined;
                /** @description The oldest age you ask for: services that take somebody of this age or younger. Not less than `minimum_age`. For example `70`. */
                maximum_age?: components["parameters"]["ServiceMaximumAge"] | undefined;
                /** @description Services that are open on this day of the week, or on any of several: repeat it, or put commas between them. A service that meets every other week or once a month counts; one whose days are not known does not. For example `TU`. */
                day?: components["parameters"]["ServiceDay"] | undefined;
                /** @description Services that are open at some time after this one, on the `day` if you give one, and before `end_time`: for a Tuesday evening, day=TU, start_time=17:00 and end_time=21:00. Times are those of clocks in the UK. For example `17:00`. */
                start_time?: components["parameters"]["ServiceStartTime"] | undefined;
                /** @description Services that are open at some time before this one; up to 24:00, and later than `start_time`. For example `21:00`. */
                end_time?: components["parameters"]["ServiceEndTime"] | undefined;
                /** @description Services that are open at this moment, by their hours: 2026-11-24T18:30:00Z. One without an offset from UTC, such as 2026-11-24T18:30, is taken as UTC. Bank holidays are not known. For example `2026-11-24T18:30:00Z`. */
                open_at?: components["parameters"]["ServiceOpenAt"] | undefined;
                /** @description true: services that take referrals from this site and are not full. On a live site, somebody must also be able to receive them: a person with an account for the organisation, or another channel that leads to the service. false: the others. */
                accepting?: components["parameters"]["ServiceAccepting"] | undefined;
                /** @description Services with this availability for new people: `capacity`, `waitlist`, `no-capacity` or `additional-assessment-required`. Repeat it to take any of several. Services that never set their availability are left out. For example `capacity`, `waitlist`. */
                capacity?: components["parameters"]["ServiceCapacity"] | undefined;
                /** @description Services that say that they meet people in this way: in person at a place of theirs, at the person’s home, by phone or online. Repeat it to take any of several. For example `home`, `phone`. */
                way?: components["parameters"]["ServiceWay"] | undefined;
                /** @description Services that name this language, by its name in English: Polish, or British Sign Language (BSL). Repeat it to take any of several. English is not counted. For example `Polish`. */
                language?: components["parameters"]["ServiceLanguage"] | undefined;
                /** @description Services that clearly state that they are free for everybody, are step-free, have a hearing loop or take people who refer themselves. Repeat it to ask for several at once. A service that is left out may still have it: many do not say. For example `free`, `step-free`. */
                feature?: components["parameters"]["ServiceFeature"] | undefined;
                /** @description Each in full, nested, as from /api/library/service_at_locations/{id}. */
                full?: components["parameters"]["FullServicesAtLocations"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All services at locations, one a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"0a77f087-22b2-4d00-bdff-cbe1af63d398","service_id":"19096312-e822-4b61-87ce-491718e6e107","location_id":"9e5c8986-c427-4147-b18f-95b1f1e14325","location":{"id":"9e5c8986-c427-4147-b18f-95b1f1e14325","location_type":"physical","name":"The Weir House","latitude":54.04921,"longitude":-2.15274},"service":{"id":"19096312-e822-4b61-87ce-491718e6e107","organization_id":"b49dadd1-f98b-448d-b2ae-9895f5cd6f89","name":"Good Company befriending","description":"A trained volunteer visits you at home for about an hour a week.","url":"https://weirhouse.example.org/good-company","email":"goodcompany@weirhouse.example.org","status":"active","fees_description":"Free.","minimum_age":55,"assured_date":"2026-05-21","last_modified":"2026-05-22T17:40:46Z","organization":{"id":"b49dadd1-f98b-448d-b2ae-9895f5cd6f89","name":"The Weir House Trust","description":"Community centre by the river in the middle of Sarrowby.","email":"office@weirhouse.example.org","website":"https://weirhouse.example.org"}}} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, other names and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example weir house
                 */
                search?: components["parameters"]["OrganizationSearch"] | undefined;
                /** @description Which page, from 1. */
                page?: components["parameters"]["Page"] | undefined;
                /** @description How many organisations a page has: 50 by default. */
                per_page?: number | undefined;
                /**
                 * @deprecated
                 * @description ndjson, or the header `Accept: application/x-ndjson`: all organisations that fit, one a line. The address that ends in `.ndjson` answers the same.
                 */
                format?: components["schemas"]["ListFormat"] | undefined;
                /** @description The services of each organisation in full, and not their ids and names alone. */
                full_service?: components["parameters"]["FullService"] | undefined;
                /** @description Each organisation in full, with the ids and names of its services; `full_service` implies it. */
                full?: components["parameters"]["FullOrganizations"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of organisations. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportOrganizations: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, other names and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example weir house
                 */
                search?: components["parameters"]["OrganizationSearch"] | undefined;
                /** @description The services of each organisation in full, and not their ids and names alone. */
                full_service?: components["parameters"]["FullService"] | undefined;
                /** @description Each organisation in full, with the ids and names of its services; `full_service` implies it. */
                full?: components["parameters"]["FullOrganizations"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All organisations, one a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"b49dadd1-f98b-448d-b2ae-9895f5cd6f89","name":"The Weir House Trust","description":"Community centre by the river in the middle of Sarrowby.","email":"office@weirhouse.example.org","website":"https://weirhouse.example.org"} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTaxonomies: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example need
                 */
                search?: components["parameters"]["TaxonomySearch"] | undefined;
                /** @description Which page, from 1. */
                page?: components["parameters"]["Page"] | undefined;
                /** @description How many taxonomies a page has: 50 by default. */
                per_page?: number | undefined;
                /**
                 * @deprecated
                 * @description ndjson, or the header `Accept: application/x-ndjson`: all taxonomies that fit, one a line. The address that ends in `.ndjson` answers the same.
                 */
                format?: components["schemas"]["ListFormat"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of taxonomies. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxonomyPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportTaxonomies: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example need
                 */
                search?: components["parameters"]["TaxonomySearch"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All taxonomies, one a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"b851a9c6-03a2-49f1-b5a2-61bb1d4a3a52","name":"Need","description":"What a person might want help with, in everyday words."} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTaxonomyTerms: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the code and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example lonely
                 */
                search?: components["parameters"]["TermSearch"] | undefined;
                /** @description Which page, from 1. */
                page?: components["parameters"]["Page"] | undefined;
                /** @description How many terms a page has: 50 by default. */
                per_page?: number | undefined;
                /**
                 * @deprecated
                 * @description ndjson, or the header `Accept: application/x-ndjson`: all terms that fit, one a line. The address that ends in `.ndjson` answers the same.
                 */
                format?: components["schemas"]["ListFormat"] | undefined;
                /** @description Terms of this taxonomy. */
                taxonomy_id?: components["parameters"]["TermTaxonomyId"] | undefined;
                /** @description Only terms at the top, which are below no other that the library has. */
                top_only?: components["parameters"]["TopOnly"] | undefined;
                /** @description Terms directly below this term. */
                parent_id?: components["parameters"]["ParentId"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of terms. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxonomyTermPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportTaxonomyTerms: {
        parameters: {
            query?: {
                /**
                 * @description Words to look for in the name, the code and the description, best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are ignored. If fewer than 10 services match all words, or you write a whole sentence, services that match only some are listed as well; in another order than that of relevance, only if none matches all. Other lists do so if nothing matches all. The word or between two words matches either. "Quoted words" must stand together, and -word leaves out; with any of these three, only exact matches are listed.
                 * @example lonely
                 */
                search?: components["parameters"]["TermSearch"] | undefined;
                /** @description Terms of this taxonomy. */
                taxonomy_id?: components["parameters"]["TermTaxonomyId"] | undefined;
                /** @description Only terms at the top, which are below no other that the library has. */
                top_only?: components["parameters"]["TopOnly"] | undefined;
                /** @description Terms directly below this term. */
                parent_id?: components["parameters"]["ParentId"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All terms, one a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"fc89a774-f334-4111-87f5-d673ed621ad3","code":"loneliness","name":"Loneliness","description":"Being on your own more than you would like, or having nobody to talk to.","taxonomy":"Need","taxonomy_detail":{"id":"b851a9c6-03a2-49f1-b5a2-61bb1d4a3a52","name":"Need","description":"What a person might want help with, in everyday words."}} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this API is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibraryDescription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    replaceService: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the service as you last read it. Without it the answer is 428, so that nobody changes what they have not seen.
                 * @example "Fq2rLjZGZJZ6XNnIXdhyXZQBmDU"
                 */
                "if-match": components["parameters"]["ServiceVersion"];
            };
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tuesday walking group",
                 *       "description": "A gentle hour by the river, with tea afterwards.",
                 *       "status": "active",
                 *       "organization_id": "b49dadd1-f98b-448d-b2ae-9895f5cd6f89",
                 *       "email": "walks@weirhouse.example.org",
                 *       "fees_description": "Free.",
                 *       "phones": [
                 *         {
                 *           "number": "01632 960011"
                 *         }
                 *       ],
                 *       "schedules": [
                 *         {
                 *           "freq": "WEEKLY",
                 *           "byday": "TU",
                 *           "opens_at": "10:30",
                 *           "closes_at": "11:30"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewService"];
            };
        };
        responses: {
            200: components["responses"]["Service"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the service as you last read it. Without it the answer is 428, so that nobody changes what they have not seen.
                 * @example "Fq2rLjZGZJZ6XNnIXdhyXZQBmDU"
                 */
                "if-match": components["parameters"]["ServiceVersion"];
            };
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Referrals were made to this service. */
            409: components["responses"]["ServiceHasReferrals"];
            412: components["responses"]["VersionStale"];
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getServiceAtLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service at a location, as lists give it.
                 * @example 0a77f087-22b2-4d00-bdff-cbe1af63d398
                 */
                id: components["parameters"]["ServiceAtLocationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service at a location. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAtLocation"];
                };
            };
            /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy, as lists give it.
                 * @example b851a9c6-03a2-49f1-b5a2-61bb1d4a3a52
                 */
                id: components["parameters"]["TaxonomyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The taxonomy. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HsdsTaxonomy"];
                };
            };
            /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTaxonomyTerm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the term, as lists give it.
                 * @example fc89a774-f334-4111-87f5-d673ed621ad3
                 */
                id: components["parameters"]["TaxonomyTermId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The term. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HsdsTaxonomyTerm"];
                };
            };
            /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getOrganization: {
        parameters: {
            query?: {
                /** @description The services of each organisation in full, and not their ids and names alone. */
                full_service?: components["parameters"]["FullService"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The id of the organisation, as lists give it.
                 * @example b49dadd1-f98b-448d-b2ae-9895f5cd6f89
                 */
                id: components["parameters"]["OrganizationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organisation. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setServiceCapacity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "waitlist",
                 *       "waiting_time": "about six weeks"
                 *     }
                 */
                "application/json": components["schemas"]["SetServiceCapacityBody"];
            };
        };
        responses: {
            200: components["responses"]["Service"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    markServiceChecked: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Service"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getServiceReferralSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReferralSettings"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setServiceReferralSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accepts": true,
                 *       "channels": [
                 *         "inbox",
                 *         "email"
                 *       ],
                 *       "addresses": {
                 *         "email": "referrals@weirhouse.example.org"
                 *       },
                 *       "answered_by": {
                 *         "name": "The befriending desk",
                 *         "email": "desk@weirhouse.example.org",
                 *         "telephone": "01632 960011"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ReferralSettingsChange"];
            };
        };
        responses: {
            200: components["responses"]["ReferralSettings"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The site has no mail server (`no-mail-server`), so nobody would get the link that confirms a new address. */
            409: components["responses"]["NoMailServer"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    makeServiceWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MakeServiceWebhookSecretAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listServiceHistory: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The id of the service, as lists give it.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListServiceHistoryAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are no operator, and no provider of the organisation that runs the service. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getPostcode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A full postcode, in capital or small letters, with its space or without.
                 * @example ZT1 3GH
                 */
                postcode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where it is, and how exact that is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Postcode"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listPractices: {
        parameters: {
            query?: {
                /**
                 * @description Words of the name, the town, the address, the postcode or the code; each may be unfinished. All words must match. If no practice has them all, misspellings are corrected; if still none does, any of the words is enough.
                 * @example infirmary lane
                 */
                search?: string | undefined;
                /** @description A full postcode. Of practices that fit equally well, the nearest come first; without `search`, the nearest of all. For example `ZT1 1RE`. */
                near?: string | undefined;
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer; send the other parameters as before. */
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundPracticePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getPractice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code, in capital or small letters.
                 * @example Z99001
                 */
                ods_code: components["parameters"]["PracticeCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The practice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Practice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setPracticeChannels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code, in capital or small letters.
                 * @example Z99001
                 */
                ods_code: components["parameters"]["PracticeCode"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channels": [
                 *         "email",
                 *         "document"
                 *       ],
                 *       "addresses": {
                 *         "email": "letters@practice.example.org"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetPracticeChannelsBody"];
            };
        };
        responses: {
            /** @description The practice as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Practice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The site has no mail server (`no-mail-server`), so nobody would get the link that confirms a new address. */
            409: components["responses"]["NoMailServer"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description An address cannot be used; `errors` says which. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listServiceLists: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["ListLimit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceListPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createServiceList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Older people who live alone"
                 *     }
                 */
                "application/json": components["schemas"]["ServiceListName"];
            };
        };
        responses: {
            /** @description The new list. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            /** @description The organisation has a list of this name, or as many as it may have. */
            409: components["responses"]["ListNameTaken"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The name cannot be used. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getServiceList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteServiceList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    renameServiceList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Older people who live alone"
                 *     }
                 */
                "application/json": components["schemas"]["ServiceListName"];
            };
        };
        responses: {
            /** @description The list with its new name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The organisation has another list of this name. */
            409: components["responses"]["ListNameTaken"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The name cannot be used. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSavedServices: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["ListLimit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedServicePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    saveServiceOnList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
                /**
                 * @description The id of a service.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                service_id: components["parameters"]["SavedServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on the list. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ListFull"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    takeServiceOffList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a list of your organisation. */
                id: components["parameters"]["ServiceListId"];
                /**
                 * @description The id of a service.
                 * @example 19096312-e822-4b61-87ce-491718e6e107
                 */
                service_id: components["parameters"]["SavedServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is not on the list. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your account belongs to no organisation, and lists are kept by organisations. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listReferrals: {
        parameters: {
            query?: {
                /** @description Those you made, or those to your services; both when left out. */
                direction?: components["schemas"]["ReferralDirection"] | undefined;
                /** @description One status or several, repeated or separated by commas: draft, requested, accepted, rejected, in-progress, on-hold, completed, failed, cancelled, entered-in-error. */
                status?: string[] | undefined;
                /** @description The id of a service. */
                service_id?: string | undefined;
                /** @description The same as service_id. */
                service?: string | undefined;
                /** @description Only those whose `updated_at` is after this moment, among them the restricted and the erased: 2026-11-21T09:30:00Z, or 2026-11-21 for its beginning in UTC. If you poll, overlap by a minute: a change is dated when its transaction begins, shortly before you can see it. */
                updated_after?: string | undefined;
                /** @description true: only those that the service should have answered by now, or whose next_date has passed. */
                overdue?: boolean | undefined;
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReferralPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createReferral: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"] | undefined;
            } | undefined;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service_id": "19096312-e822-4b61-87ce-491718e6e107",
                 *       "urgency": "routine",
                 *       "patient": {
                 *         "given_name": "Margaret",
                 *         "family_name": "Example",
                 *         "birth_date": "1947-03-09",
                 *         "address": {
                 *           "lines": [
                 *             "4 Mill Lane",
                 *             "Sarrowby"
                 *           ],
                 *           "postcode": "ZT1 3GH"
                 *         },
                 *         "telephone": "01632 960123",
                 *         "preferred_contact": "telephone, in the morning"
                 *       },
                 *       "gp_practice": {
                 *         "ods_code": "Z99001"
                 *       },
                 *       "reasons": [
                 *         {
                 *           "text": "Her husband died in the spring and she seldom leaves the house."
                 *         }
                 *       ],
                 *       "what_matters": "She used to sing in a choir and would like to again.",
                 *       "risk": "no",
                 *       "contact": {
                 *         "safe": "yes",
                 *         "channel": "telephone",
                 *         "voicemail": false
                 *       },
                 *       "consent": {
                 *         "referral": true,
                 *         "share_with_gp": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ReferralOrDraft"];
            };
        };
        responses: {
            /** @description The referral was made. `Location` has its address and `ETag` its version. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not a referrer’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Your organisation has an open referral of the person to this service; the NHS number is known with another name or date of birth (`person-mismatch`); your organisation was told that the person has died (`death-reported`); or the same request is still being worked on. */
            409: components["responses"]["PossibleDuplicate"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The service, the practice, the NHS number or the consent does not allow it (`cannot-refer`); nothing was done yet about a risk (`risk-not-acted-on`); the person is outside the ages or the area of the service (`does-not-fit`); you refer yourself (`refers-themselves`); or the idempotency key was used for another body (`idempotency-key-reused`). */
            422: components["responses"]["CannotRefer"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    rerouteReferral: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service_id": "5b2a1783-6d04-4fee-aafe-fc1fb75aa868",
                 *       "consent": {
                 *         "referral": true,
                 *         "share_with_gp": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Reroute"];
            };
        };
        responses: {
            /** @description The referral was made. `Location` has its address and `ETag` its version. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not one of the referrer’s organisation. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Your organisation has an open referral of the person to this service; the NHS number is known with another name or date of birth (`person-mismatch`); your organisation was told that the person has died (`death-reported`); or the same request is still being worked on. Or the referral is not rejected, failed or cancelled. */
            409: components["responses"]["PossibleDuplicate"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The service, the practice, the NHS number or the consent does not allow it (`cannot-refer`); nothing was done yet about a risk (`risk-not-acted-on`); the person is outside the ages or the area of the service (`does-not-fit`); you refer yourself (`refers-themselves`); or the idempotency key was used for another body (`idempotency-key-reused`). */
            422: components["responses"]["CannotRefer"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    searchReferrals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "family_name": "Example",
                 *       "birth_date": "1947-03-09"
                 *     }
                 */
                "application/json": components["schemas"]["PersonSearch"];
            };
        };
        responses: {
            200: components["responses"]["ReferralPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description An operator gave no reason, too short a one or one that names the person, or sent a postcode. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getReferral: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the referral as you last read it. */
                "if-none-match"?: string | undefined;
                /** @description Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts. */
                "onward-shown-to"?: components["parameters"]["OnwardShownTo"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            /** @description You have exactly this already. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changeDraft: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service_id": "19096312-e822-4b61-87ce-491718e6e107",
                 *       "patient": {
                 *         "given_name": "Margaret",
                 *         "family_name": "Example"
                 *       },
                 *       "reasons": [
                 *         {
                 *           "text": "Her husband died in the spring and she seldom leaves the house."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DraftReferral"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not one of the referrer’s organisation. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is no longer a draft. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The service or the practice is not known, or the NHS number is not one. */
            422: components["responses"]["CannotRefer"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    correctReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "patient": {
                 *         "telephone": "01632 960987"
                 *       },
                 *       "urgency": "urgent"
                 *     }
                 */
                "application/json": components["schemas"]["Correction"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description A field is for the referrer’s organisation to correct. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open, is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The practice is not known on this site; a protection is taken away and `reason` is missing; the person is the one who made the referral (`refers-themselves`); or the new postcode is outside the service’s area (`does-not-fit`). */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getReferralHistory: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    requestReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RequestReferralBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not one of the referrer’s organisation. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is no longer a draft; your organisation has an open referral of the person to this service; your organisation was told that the person has died (`death-reported`); or the NHS number is known with another name or date of birth (`person-mismatch`). */
            409: components["responses"]["PossibleDuplicate"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Something is missing or not allowed; nothing was done yet about a risk (`risk-not-acted-on`); the person does not fit the service (`does-not-fit`); or you refer yourself (`refers-themselves`). */
            422: components["responses"]["CannotRefer"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    seeToReferral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not one of the referrer’s organisation. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not rejected, failed or cancelled. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    acceptReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    rejectReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "no-capacity",
                 *         "text": "No volunteer is free until January."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RejectReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description declines_social_prescribing is only for the reason client-declined. Or no referrals can be made to the service that is suggested. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    startReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    holdReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "no-capacity",
                 *         "text": "A volunteer for her part of the town starts after Easter."
                 *       },
                 *       "expected_date": "2027-04-05"
                 *     }
                 */
                "application/json": components["schemas"]["HoldReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The date is in the past, or more than a year away. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changeWait: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "no-capacity",
                 *         "text": "The new volunteer has moved away; the next ones start in summer."
                 *       },
                 *       "expected_date": "2027-06-28"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWaitBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The date is in the past, or more than a year away. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    completeReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": {
                 *         "code": "goals-met",
                 *         "text": "She has a visitor every week, and sings with her.",
                 *         "measures": [
                 *           {
                 *             "code": "ons4-life-satisfaction",
                 *             "stage": "start",
                 *             "value": 3
                 *           },
                 *           {
                 *             "code": "ons4-life-satisfaction",
                 *             "stage": "end",
                 *             "value": 7
                 *           }
                 *         ]
                 *       },
                 *       "gp_actions": [
                 *         {
                 *           "text": "Please check her blood pressure: she was dizzy twice during visits.",
                 *           "by_date": "2027-03-01",
                 *           "asked_by": "Petra Provider, The Weir House Trust, 01632 960 200",
                 *           "patient_told": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CompleteReferralBody"];
            };
        };
        responses: {
            200: components["responses"]["ReferralCompleted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description A measure is out of its range, or a date for the GP practice is in the past. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    failReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "failed-contact",
                 *         "text": "Four calls and two letters were not answered."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FailReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service, and the reason died is for people: a system account may not give it. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description declines_social_prescribing is only for the reason client-declined. Or no referrals can be made to the service that is suggested. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    cancelReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "client-declined",
                 *         "text": "She would rather stay at home for now."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CancelReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service and the referrer’s organisation, and the reason died is for people: a system account may not give it. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description declines_social_prescribing is only for the reason client-declined. */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    withdrawReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status_reason": {
                 *         "code": "other",
                 *         "text": "It was meant for another person."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawReferralBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the referrer’s organisation. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The status does not allow this, or a reported death must be dealt with first. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    closeGpAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The number of the action. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a draft. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    logContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "telephone",
                 *       "reached": true,
                 *       "note": "She would like to come on Thursday."
                 *     }
                 */
                "application/json": components["schemas"]["NewContact"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The time is in the future, or before the referral was made; or there are 200 contacts already. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    bookAppointment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "at": "2027-01-14T10:30:00Z",
                 *       "kind": "in-person",
                 *       "place": "The Weir House"
                 *     }
                 */
                "application/json": components["schemas"]["NewAppointment"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The time is more than a year away, or before the referral was made; or there are 100 appointments already. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    cancelAppointment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of one of `appointments`. */
                appointment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    addMeasures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "measures": [
                 *         {
                 *           "code": "ucla-3",
                 *           "stage": "start",
                 *           "value": 7,
                 *           "by": "person",
                 *           "mode": "telephone"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewMeasures"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a draft, or was sent by mistake. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description A value is out of its range, a measure is given twice for a stage, a time is in the future or more than a year ago, or there are 200 measures already. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    dismissPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of a prompt, from `prompts` of the referral. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PromptDismissal"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are a system account: a person says that it was dealt with. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description It is an `alarming-answer` or a `risk-to-act-on`, and `reason` does not say what was done; or it is another prompt and has a `reason`. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    sendPersonPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "send": true
                 *     }
                 */
                "application/json": components["schemas"]["SendPersonPageBody"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Only the referrer’s organisation can do that. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Nothing is sent to the person about this referral now, or it is a draft. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description It is not safe, or not possible, to send it: `errors` says why. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    endPersonPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "asked_by_person": true
                 *     }
                 */
                "application/json": components["schemas"]["EndPersonPageBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    undoEnding: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the referrer’s organisation. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Nobody ended the referral by link in the last 24 hours, or you have confirmed it. Or the person has been referred elsewhere or helped another way since, or has died. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    undoDecline: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the referrer’s organisation. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Nobody ended the referral by link in the last 24 hours, or you have confirmed it. Or the person has been referred elsewhere or helped another way since, or has died. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    confirmEnding: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the referrer’s organisation. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Nobody ended the referral by link in the last 24 hours, or you have confirmed it. Or the person has been referred elsewhere or helped another way since, or has died. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changeAgreement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "share_with_gp": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangeAgreementBody"];
            };
        } | undefined;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAgreement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. Or the service is hidden from you: to have more told, or to end the referral, open it with a reason first. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a draft. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description More would be told than before, and `said_by` names nobody, or somebody who does not decide at this age; or others undo what the person decided themselves, or end the referral, and `reason` is missing. Or a child who can decide had decided otherwise, or the service would have more told without `said_by` or after the person no longer wanted the referral. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedChangePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    tellChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Her daughter can no longer visit her.",
                 *       "urgency": "urgent"
                 *     }
                 */
                "application/json": components["schemas"]["NewChange"];
            };
        };
        responses: {
            /** @description Created. `Location` has its address. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for one side of the referral, and not yours. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The referral cannot become less urgent. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    confirmChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of a change that somebody told, from the list of them. */
                change_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your side told it, or you are a system account. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    transferReferral: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. Only the version in it counts. Without it the answer is 428, so that nobody answers what they have not seen.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match": components["parameters"]["ReferralVersion"];
            };
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "service_id": "thursday-choir",
                 *       "reason": "She would rather come on Thursdays, near her home."
                 *     }
                 */
                "application/json": components["schemas"]["Transfer"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for staff of the service. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not open, is restricted, or was erased; or a reported death must be dealt with first. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The service is not one of your organisation, takes no referrals, or is less confidential; or the person is outside its ages or area (`does-not-fit`). */
            422: components["responses"]["Unprocessable"];
            428: components["responses"]["VersionMissing"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    reportDeath: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the referral has changed since, the answer is 412. It may be left out.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match"?: components["parameters"]["ReferralVersionIfKnown"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "told_by": "Her daughter, by telephone",
                 *       "date": "2026-11-20"
                 *     }
                 */
                "application/json": components["schemas"]["ReportDeathBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDeathAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. A system account may not confirm a death or take it back. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral has ended, or is a draft. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The date is in the future, or before the date of birth. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    confirmDeath: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the referral has changed since, the answer is 412. It may be left out.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match"?: components["parameters"]["ReferralVersionIfKnown"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral, and for people: no system account may. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description No death was reported, or somebody confirmed it before. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    undoDeath: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the referral as you last read it, or its `version` in quotation marks. If it is sent and the referral has changed since, the answer is 412. It may be left out.
                 * @example "1-l6DqN0YcTzq2YBpyWzYkQg"
                 */
                "if-match"?: components["parameters"]["ReferralVersionIfKnown"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The ward rang: two patients were mixed up."
                 *     }
                 */
                "application/json": components["schemas"]["UndoneDeath"];
            };
        } | undefined;
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are neither of the organisation that reported it, nor of a service that confirmed it, nor an operator; or a system account. Or the service is hidden from you: open the referral with a reason first. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description No death was reported. The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionStale"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description An operator gave no reason, one that says nothing, or one that names the person. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: {
                /** @description Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts. */
                "onward-shown-to"?: components["parameters"]["OnwardShownTo"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Would a morning suit her better?"
                 *     }
                 */
                "application/json": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            /** @description Created. `Location` has its address. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are on neither side of the referral. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a draft, or was sent by mistake: there is nobody to write to. The referral is restricted, or was erased. */
            409: components["responses"]["StillInProgress"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The idempotency key was used for another request. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts. */
                "onward-shown-to"?: components["parameters"]["OnwardShownTo"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of a message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    attachFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random text for every referral, message or file, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AttachFileBody"];
            };
        };
        responses: {
            /** @description Created. `Location` has its address. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are on neither side of the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral was sent by mistake. The referral is restricted, or was erased. */
            409: components["responses"]["StillInProgress"];
            /** @description The file is too large, or the referral has reached its limit of files. */
            413: components["responses"]["TooLarge"];
            /** @description The file is not sent as multipart/form-data. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The file is not a PDF, PNG or JPEG, it has a virus, or the idempotency key was used for another request. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Send `person` if the person whose token it is has the answer on a screen now, as when they opened it. Only then does reading count as seen by a person, and end the emails about what nobody has seen. Leave it out where a program reads for itself, such as in the background: that is a delivery to a system. A system account’s token never counts. */
                "onward-shown-to"?: components["parameters"]["OnwardShownTo"] | undefined;
            } | undefined;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of an attachment. */
                attachment_id: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "image/png": unknown;
                    "image/jpeg": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
                /** @description The id of an attachment. */
                attachment_id: components["parameters"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": {
                 *         "code": "about-somebody-else",
                 *         "text": "A letter for another patient."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewFileRemoval"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The other side attached it, or you are on neither side and have not opened the referral. Or its service is restricted, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason is `other`, and its words do not say why. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    openReferral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The service rang: it cannot read the address. Ticket 311."
                 *     }
                 */
                "application/json": components["schemas"]["NewOpening"];
            };
        };
        responses: {
            200: components["responses"]["Referral"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description You are neither an operator nor a colleague from whom the service is hidden, or you are a system account. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["ReferralRestricted"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason says nothing. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listOpenings: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpeningPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the referrer’s organisation. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    restrictReferral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "She says that the address is wrong, and asks that nobody uses it until that is settled."
                 *     }
                 */
                "application/json": components["schemas"]["RestrictReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted already, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason names the person, or says nothing. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    unrestrictReferral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The address was put right."
                 *     }
                 */
                "application/json": components["schemas"]["UnrestrictReferralBody"];
            };
        };
        responses: {
            200: components["responses"]["ReferralCompleted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not restricted, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason names the person, or says nothing. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    eraseReferral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ground": "not-needed",
                 *       "reason": "The person asked for it on 12 November. The data controller agreed."
                 *     }
                 */
                "application/json": components["schemas"]["EraseReferralBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is still open, is held or restricted, or was erased already. Or somebody is still owed something, which `detail` names, and `told` is missing. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason names the person, or says nothing, or there is no ground. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    placeLegalHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The coroner has asked for the record; letter of 12 November."
                 *     }
                 */
                "application/json": components["schemas"]["PlaceLegalHoldBody"];
            };
        };
        responses: {
            /** @description The referral as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is held already, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason names the person, or says nothing. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    liftLegalHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The inquest has ended."
                 *     }
                 */
                "application/json": components["schemas"]["LiftLegalHoldBody"];
            };
        };
        responses: {
            200: components["responses"]["ReferralCompleted"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is not held, or was erased. */
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The reason names the person, or says nothing. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getReferralLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The letter. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description An operator has not opened the referral; or it names a sensitive service, and you have not opened the referral with a reason. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The referral is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listDeliveriesToSeeTo: {
        parameters: {
            query?: {
                /** @description false: resolved ones; otherwise open ones. */
                open?: boolean | undefined;
                /** @description Why it needs an operator. `failed`: no way worked. `uncertain`: nobody can tell whether it arrived. `expired`: handed over and not confirmed within five days. `unanswered`: its receiver has not answered within a day. `no-practice`: the person’s GP practice was not named. `held`: it waits until something else is put right, as `reason` says, and is then sent by itself. */
                kind?: components["schemas"]["WorklistKind"] | undefined;
                /** @description Only those whose owner is the operator with this account. */
                owner?: string | undefined;
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryDeliveryBody"];
            };
        } | undefined;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not in a state in which that can be done. */
            409: components["responses"]["NothingToDo"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    sendDeliveryAnotherWay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "document"
                 *     }
                 */
                "application/json": components["schemas"]["SendDeliveryAnotherWayBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not in a state in which that can be done. */
            409: components["responses"]["NothingToDo"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    markDeliveryDone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "words": "Read out to their duty desk by telephone."
                 *     }
                 */
                "application/json": components["schemas"]["MarkDeliveryDoneBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not in a state in which that can be done. */
            409: components["responses"]["NothingToDo"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    assignDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery. */
                id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account_id": "0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f"
                 *     }
                 */
                "application/json": components["schemas"]["AssignDeliveryBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorklistDeliveryDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not in a state in which that can be done. */
            409: components["responses"]["NothingToDo"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getLeaflet: {
        parameters: {
            query?: {
                /** @description `large` for large print, in letters of 18 points. `normal` when left out. */
                print?: components["schemas"]["PrintSize"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: components["parameters"]["ReferralId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The leaflet. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description This is for the two sides of the referral. Or the service is hidden from you: open the referral with a reason first. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a draft, was sent by mistake, is restricted, or was erased. */
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSimulations: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 25. */
                limit?: number | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listStories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    moveTimeOn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a referral. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "next"
                 *     }
                 */
                "application/json": components["schemas"]["MoveTimeOnBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /** @description `no-story`: the last name of the patient picks no story. `GET /api/simulator/stories` lists those that do. */
            409: components["responses"]["NoStory"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that you have. Without it, you get events from the oldest on. */
                after?: string | undefined;
                /** @description The next_cursor of the last answer; the same as `after`. */
                cursor?: string | undefined;
                /** @description Events of one type alone, or of several, repeated or separated by commas: referral.requested, referral.accepted, referral.rejected, referral.in-progress, referral.on-hold, referral.completed, referral.failed, referral.cancelled, referral.entered-in-error, referral.corrected, referral.agreement-changed, referral.things-have-changed, referral.transferred, referral.death-reported, referral.death-confirmed, referral.death-undone, referral.contact-logged, referral.measured, referral.appointment-changed, referral.person-page-changed, referral.prompted, referral.restricted, referral.unrestricted, referral.erased, delivery.sent, delivery.received, delivery.acknowledged, delivery.uncertain, delivery.failed, delivery.expired, message.created, attachment.created, attachment.removed, service.changed. A type that does not exist has no events. */
                type?: string[] | undefined;
                /** @description The most items to return. The default is 100. */
                limit?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            /** @description `events-gone`: the event that you name is older than 30 days, so events after it may be missing. `oldest_id` is the oldest event that is left. */
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    addWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://client.example.org/webhooks",
                 *       "event_types": [
                 *         "referral.accepted",
                 *         "referral.rejected",
                 *         "referral.completed"
                 *       ],
                 *       "description": "Our case system"
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook, with its secret. `Location` says where to read it. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["TooManyWebhooks"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The address or a type of event cannot be used; `errors` says why. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Webhook"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event_types": [
                 *         "*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            200: components["responses"]["Webhook"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The address or a type of event cannot be used; `errors` says why. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event that is being sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description Only attempts with these outcomes, repeated or separated by commas: delivered, captured, will-retry, failed. */
                outcome?: string[] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: string | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttemptPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a webhook. */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "missed": true
                 *     }
                 */
                "application/json": components["schemas"]["Replay"];
            };
        };
        responses: {
            /** @description Accepted; it is processed shortly. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            /** @description `events-gone`: the event that you name is older than 30 days, so events after it may be missing. `oldest_id` is the oldest event that is left. */
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportPatientRecord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nhs_number": "9990000018",
                 *       "reason": "Subject access request of 12 November, identity checked."
                 *     }
                 */
                "application/json": components["schemas"]["CopyRequest"];
            };
        };
        responses: {
            /** @description The site holds nothing about such a person, so there is nothing to review: a record without referrals. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatientRecord"];
                    "application/zip": string;
                };
            };
            /** @description The copy, which has to be reviewed. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordCopy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too little to tell people apart, the reason names the person or is too short, or nothing was decided about the opt-out. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRecordCopy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a copy. */
                id: components["parameters"]["RecordCopyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The copy, without what is in it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordCopy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getCopiedRecord: {
        parameters: {
            query?: {
                /** @description `json` when left out. `zip` has the same as record.json, a page to read and print, and the files. */
                format?: components["schemas"]["CopyFormat"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /** @description The id of a copy. */
                id: components["parameters"]["RecordCopyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatientRecord"];
                    "application/zip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Nobody has reviewed the copy yet. */
            409: components["responses"]["CopyNotReviewed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getReportSummary: {
        parameters: {
            query: {
                /**
                 * @description The first day, in London.
                 * @example 2026-06-01
                 */
                from: components["parameters"]["ReportFrom"];
                /**
                 * @description The last day, included.
                 * @example 2026-06-30
                 */
                to: components["parameters"]["ReportTo"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReportSummary"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your role has no reports, the key lacks the scope, or your organisation is not in the library. */
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getReportFigure: {
        parameters: {
            query: {
                /**
                 * @description The first day, in London.
                 * @example 2026-06-01
                 */
                from: components["parameters"]["ReportFrom"];
                /**
                 * @description The last day, included.
                 * @example 2026-06-30
                 */
                to: components["parameters"]["ReportTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of a figure, such as `F1`.
                 * @example F1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReportSummary"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description Your role has no reports, the key lacks the scope, or your organisation is not in the library. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listLooseEnds: {
        parameters: {
            query?: {
                /** @description false: resolved items; otherwise open ones. */
                open?: boolean | undefined;
                /** @description The most items to return. The default is 50. */
                limit?: components["parameters"]["Limit"] | undefined;
                /** @description The next_cursor of the last answer. */
                cursor?: components["parameters"]["Cursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LooseEndPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    retryLooseEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an unmatched item. */
                id: components["parameters"]["LooseEndId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        } | undefined;
        responses: {
            200: components["responses"]["LooseEnd"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a message, which cannot be tried again. */
            409: components["responses"]["CannotBeRetried"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    closeLooseEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an unmatched item. */
                id: components["parameters"]["LooseEndId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "words": "Meant for another site; its sender was told."
                 *     }
                 */
                "application/json": components["schemas"]["LooseEndClosingWords"];
            };
        };
        responses: {
            200: components["responses"]["LooseEnd"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The account is not an operator’s. */
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is a message that this person has not read. */
            409: components["responses"]["MessageNotRead"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `words` do not say what was done. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Problem"];
        };
    };
    listTroubles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TroublePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    addTrouble: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "too-many-requests",
                 *       "calls": 2,
                 *       "operation_id": "createReferral",
                 *       "retry_after": 5
                 *     }
                 */
                "application/json": components["schemas"]["NewTrouble"];
            };
        };
        responses: {
            /** @description What will be played. `Location` has its address. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The kind cannot be played on this operation, or 20 of yours wait already; `errors` says why. */
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    clearTroubles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There are none now. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTrouble: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a trouble. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trouble"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    moveOwnTimeOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "next"
                 *     }
                 */
                "application/json": components["schemas"]["MoveOwnTimeOnBody"];
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveOwnTimeOnAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. Calls with the same id are about the same event. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces; one that is right is enough. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0",
                 *       "type": "referral.requested",
                 *       "version": 1,
                 *       "created_at": "2026-11-21T09:30:00.000Z",
                 *       "resource": {
                 *         "type": "referral",
                 *         "id": "01a1fc72-4adf-7a4a-aa65-fc267c41c863",
                 *         "referral_id": "01a1fc72-4adf-7a4a-aa65-fc267c41c863",
                 *         "href": "http://localhost:8080/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description You want nothing more: the webhook is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
